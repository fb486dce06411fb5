package org.streamon.lab.baselines.selections

import org.streamon.core.selections.{RuleSet, SampledRegions}

/** The best and the worst fixed sequence for a sample, by dynamic programming over sets of attributes: which
  * rows a set leaves alive does not depend on its order, so a sequence costs the rows alive after each of its
  * proper prefixes. The paper calls them SEQ best and SEQ worst.
  *
  * @param sample
  *   of 20 attributes at most
  */
final class ExactSequences(sample: SampledRegions) {
  private val n = sample.constructs.size
  require(n <= ExactSequences.MostAttributes, s"$n attributes: at most ${ExactSequences.MostAttributes}")

  /** By set of attributes, a bit for each, the rows that it leaves alive. */
  private val alive: Array[Long] = {
    val found = new Array[Long](1 << n)

    def count(row: Int, from: Int, asked: Int, left: RuleSet): Unit = if (!left.isEmpty) {
      found(asked) += 1
      for (a <- from until n) {
        val next = left.copy()
        next.retainAll(sample.set(row, a))
        count(row, a + 1, asked | 1 << a, next)
      }
    }
    for (row <- 0 until sample.rows) count(row, 0, 0, sample.deciding.copy())
    found
  }

  /** The sequence that asks the fewest constructs. */
  val best: IndexedSeq[Int] = search((a, b) => a < b)

  /** The one that asks the most. */
  val worst: IndexedSeq[Int] = search((a, b) => a > b)

  /** Constructs that a sequence asks of all rows of the sample. */
  def cost(sequence: Seq[Int]): Long =
    sequence.scanLeft(0)((asked, a) => asked | 1 << a).init.map(alive(_)).sum

  private def search(better: (Long, Long) => Boolean): IndexedSeq[Int] = {
    val cost = new Array[Long](1 << n)
    val last = new Array[Int](1 << n)
    for (asked <- 1 until 1 << n) {
      var chosen = -1
      for (a <- 0 until n if (asked >>> a & 1) == 1) {
        val before = asked & ~(1 << a)
        val through = cost(before) + alive(before)
        if (chosen < 0 || better(through, cost(asked))) {
          chosen = a
          cost(asked) = through
        }
      }
      last(asked) = chosen
    }
    Iterator
      .iterate((1 << n) - 1)(asked => asked & ~(1 << last(asked)))
      .takeWhile(_ != 0)
      .map(last(_))
      .toVector
      .reverse
  }
}

private object ExactSequences {
  val MostAttributes = 20
}
