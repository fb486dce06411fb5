package org.streamon.core.selections

/** The rules that may still hold of a row: the global-result bitmap of ASC. It knows which of its words are
  * not zero, so a row with few live rules costs little. Reused for every row. Allocates nothing. Not
  * thread-safe.
  *
  * @param candidates
  *   the rules that are alive when a row begins
  */
final class LiveRules(candidates: RuleSet) {
  private val all = candidates.words
  private val hasCandidates = !candidates.isEmpty
  private val words = new Array[Long](all.length)
  private val places = new Array[Int](all.length) // of the words that are not zero
  private var count = 0
  private var isWhole = false

  /** A new row: all candidates are alive. */
  def begin(): Unit = {
    // What is left of the row before would else come to life again.
    clear()
    isWhole = hasCandidates
  }

  private def clear(): Unit = {
    var k = 0
    while (k < count) {
      words(places(k)) = 0L
      k += 1
    }
    count = 0
  }

  /** Whether no rule is alive. */
  def isEmpty: Boolean = count == 0 && !isWhole

  /** Brings rules to life. */
  private[selections] def addAll(rules: RuleSet): Unit = {
    expand()
    var w = 0
    while (w < words.length) {
      words(w) |= rules.words(w)
      w += 1
    }
    note()
  }

  /** Leaves alive those of `kept`, but for some.
    *
    * @param partial
    *   the rules of which some go
    * @param removed
    *   has a bit for each of these that goes
    * @param offset
    *   of the words of these bits
    */
  private[selections] def retainAll(
      kept: Array[Long],
      partial: Array[Int],
      removed: Array[Long],
      offset: Int
  ): Unit =
    if (isWhole) {
      var w = 0
      while (w < words.length) {
        words(w) = kept(w) & all(w)
        w += 1
      }
      remove(partial, removed, offset)
      note()
    } else {
      remove(partial, removed, offset)
      var left = 0
      var k = 0
      while (k < count) {
        val place = places(k)
        val word = words(place) & kept(place)
        words(place) = word
        if (word != 0L) {
          places(left) = place
          left += 1
        }
        k += 1
      }
      count = left
    }

  private def remove(partial: Array[Int], removed: Array[Long], offset: Int): Unit = {
    var first = 0
    var at = offset
    while (first < partial.length) {
      var bits = removed(at)
      while (bits != 0L) {
        val rule = partial(first + java.lang.Long.numberOfTrailingZeros(bits))
        words(rule >>> 6) &= ~(1L << rule)
        bits &= bits - 1
      }
      first += 64
      at += 1
    }
  }

  /** Whether any of the rules is alive. */
  def intersects(rules: RuleSet): Boolean = {
    expand()
    var k = 0
    while (k < count && (words(places(k)) & rules.words(places(k))) == 0L) k += 1
    k < count
  }

  def contains(rule: Int): Boolean = {
    expand()
    (words(rule >>> 6) >>> rule & 1L) != 0L
  }

  def cardinality: Int = {
    expand()
    var sum = 0
    var k = 0
    while (k < count) {
      sum += java.lang.Long.bitCount(words(places(k)))
      k += 1
    }
    sum
  }

  /** The next rule that is alive, from `from` on; -1 after the last. */
  def next(from: Int): Int = {
    expand()
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

  private def expand(): Unit = if (isWhole) {
    System.arraycopy(all, 0, words, 0, words.length)
    note()
  }

  /** Finds the words that are not zero. */
  private def note(): Unit = {
    isWhole = false
    count = 0
    var place = 0
    while (place < words.length) {
      if (words(place) != 0L) {
        places(count) = place
        count += 1
      }
      place += 1
    }
  }
}
