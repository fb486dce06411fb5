package org.streamon.core.selections

/** A set of rules by their numbers, a bit for each. Mutable. */
final class RuleSet private (val size: Int, private[selections] val words: Array[Long]) {
  def this(size: Int) = this(size, new Array[Long]((size + 63) >>> 6))

  def contains(rule: Int): Boolean = (words(rule >>> 6) >>> rule & 1L) != 0L
  def add(rule: Int): Unit = words(rule >>> 6) |= 1L << rule
  def remove(rule: Int): Unit = words(rule >>> 6) &= ~(1L << rule)

  def isEmpty: Boolean = !intersects(this)

  def cardinality: Int = common(this)

  def copy(): RuleSet = new RuleSet(size, words.clone())

  def addAll(other: RuleSet): Unit = for (w <- words.indices) words(w) |= other.words(w)
  def retainAll(other: RuleSet): Unit = for (w <- words.indices) words(w) &= other.words(w)
  def removeAll(other: RuleSet): Unit = for (w <- words.indices) words(w) &= ~other.words(w)

  def intersects(other: RuleSet): Boolean = {
    var w = 0
    while (w < words.length && (words(w) & other.words(w)) == 0L) w += 1
    w < words.length
  }

  /** How many rules are in both. */
  def common(other: RuleSet): Int = {
    var sum = 0
    var w = 0
    while (w < words.length) {
      sum += java.lang.Long.bitCount(words(w) & other.words(w))
      w += 1
    }
    sum
  }

  def containsAll(other: RuleSet): Boolean = {
    var w = 0
    while (w < words.length && (other.words(w) & ~words(w)) == 0L) w += 1
    w == words.length
  }

  /** In ascending order. */
  def rules: IndexedSeq[Int] = (0 until size).filter(contains)

  override def toString: String = rules.mkString("{", ", ", "}")
}

object RuleSet {
  def of(size: Int, rules: Int*): RuleSet = {
    val set = new RuleSet(size)
    rules.foreach(set.add)
    set
  }

  def all(size: Int): RuleSet = {
    val set = new RuleSet(size)
    java.util.Arrays.fill(set.words, -1L)
    if ((size & 63) != 0) set.words(size >>> 6) = -1L >>> -size
    set
  }
}
