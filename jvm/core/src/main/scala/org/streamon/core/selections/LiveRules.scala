package org.streamon.core.selections

/** The rules that may still hold of a row: the global-result bitmap of ASC. Reused for every row. Allocates
  * nothing. Not thread-safe.
  *
  * @param candidates
  *   the rules that are alive when a row begins. Not to be changed
  */
final class LiveRules(candidates: RuleSet) {
  private val all = candidates.words
  private val words = new Array[Long](all.length)
  private val hasCandidates = !candidates.isEmpty
  private var hasAlive = false

  /** A new row: all candidates are alive. */
  def begin(): Unit = {
    if (words.length == 1) words(0) = all(0) else System.arraycopy(all, 0, words, 0, words.length)
    hasAlive = hasCandidates
  }

  /** Whether no rule is alive. */
  def isEmpty: Boolean = !hasAlive

  /** Brings rules to life. */
  private[selections] def addAll(rules: RuleSet): Unit = {
    var w = 0
    while (w < words.length) {
      words(w) |= rules.words(w)
      w += 1
    }
    noteAlive()
  }

  /** Leaves alive those that hold.
    *
    * @param regions
    *   of the row, by attribute
    */
  private[selections] def check(checks: RegionChecks, regions: Array[Int]): Unit = {
    var w = 0
    while (w < words.length) {
      var unchecked = words(w)
      if (unchecked != 0L) {
        var failing = 0L
        while (unchecked != 0L) {
          val rule = (w << 6) + java.lang.Long.numberOfTrailingZeros(unchecked)
          failing |= checks.fails(rule, regions).toLong << rule
          unchecked &= unchecked - 1
        }
        words(w) &= ~failing
      }
      w += 1
    }
    noteAlive()
  }

  /** Leaves alive those of a set. To know which words are zero, and leave them out, costs more than to go
    * through all.
    *
    * @param kept
    *   the words of the set
    */
  private[selections] def retainAll(kept: Array[Long]): Unit =
    if (words.length == 1) retainOne(kept)
    else if (words.length <= LiveRules.FewWords) retainFew(kept)
    else retainMany(kept)

  private def retainOne(kept: Array[Long]): Unit = {
    val both = words(0) & kept(0)
    words(0) = both
    hasAlive = both != 0L
  }

  private def retainFew(kept: Array[Long]): Unit = {
    val mine = words
    var left = 0L
    var w = 0
    while (w < mine.length) {
      val both = mine(w) & kept(w)
      mine(w) = both
      left |= both
      w += 1
    }
    hasAlive = left != 0L
  }

  private def retainMany(kept: Array[Long]): Unit = {
    val mine = words
    // The JVM makes vectors of a loop that carries nothing from word to word.
    var w = 0
    while (w < mine.length) {
      mine(w) = mine(w) & kept(w)
      w += 1
    }
    noteAlive()
  }

  private def noteAlive(): Unit = {
    var w = 0
    while (w < words.length && words(w) == 0L) w += 1
    hasAlive = w < words.length
  }

  def cardinality: Int = {
    var sum = 0
    var w = 0
    while (w < words.length) {
      sum += java.lang.Long.bitCount(words(w))
      w += 1
    }
    sum
  }

  /** The next rule that is alive, from `from` on; -1 after the last. */
  def next(from: Int): Int = {
    var place = from >>> 6
    if (place >= words.length) -1
    else {
      var word = words(place) & (-1L << from)
      while (word == 0L && place + 1 < words.length) {
        place += 1
        word = words(place)
      }
      if (word == 0L) -1 else (place << 6) + java.lang.Long.numberOfTrailingZeros(word)
    }
  }
}

private object LiveRules {

  /** Words up to which one loop, without vectors, is faster than two. */
  val FewWords = 32
}
