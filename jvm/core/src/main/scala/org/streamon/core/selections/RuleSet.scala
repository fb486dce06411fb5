package org.streamon.core.selections

/** A set of rules by their numbers, a bit for each. Mutable. */
final class RuleSet private (val size: Int, private[selections] val words: Array[Long]) {
  def this(size: Int) = this(size, new Array[Long]((size + 63) >>> 6))

  def contains(rule: Int): Boolean = (words(rule >>> 6) >>> rule & 1L) != 0L
  def add(rule: Int): Unit = words(rule >>> 6) |= 1L << rule
  def remove(rule: Int): Unit = words(rule >>> 6) &= ~(1L << rule)

  def isEmpty: Boolean = words.forall(_ == 0L)
  def cardinality: Int = words.iterator.map(java.lang.Long.bitCount).sum
  def copy(): RuleSet = new RuleSet(size, words.clone())

  def addAll(other: RuleSet): Unit = for (w <- words.indices) words(w) |= other.words(w)
  def retainAll(other: RuleSet): Unit = for (w <- words.indices) words(w) &= other.words(w)

  def intersects(other: RuleSet): Boolean = words.indices.exists(w => (words(w) & other.words(w)) != 0L)
  def containsAll(other: RuleSet): Boolean = words.indices.forall(w => (other.words(w) & ~words(w)) == 0L)

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

  def all(size: Int): RuleSet = of(size, 0 until size: _*)
}
