package org.streamon.spark.metrics

import org.streamon.core.filters.Precedence

/** Keeps one conjunct before another for some time: the second one raised an error on a row that the first
  * one drops. A guard expires, since one bad row must not fix the order for ever. The next bad row renews it.
  *
  * @param first
  *   written position of the conjunct that drops the row
  * @param second
  *   of the one that raised
  * @param met
  *   when it did, in milliseconds since the epoch
  */
final case class Guard(first: Int, second: Int, met: Long) {
  def isBetween(a: Int, b: Int): Boolean = first == a && second == b

  /** Whether it is to be obeyed. Not if its time is far ahead either: clocks differ, and a file may say
    * anything.
    */
  def holds(now: Long): Boolean = math.abs(now - met) < Guard.Life
}

object Guard {

  /** An hour, in milliseconds: what is met again costs each executor one row in that time. */
  val Life: Long = 3600L * 1000L

  /** What is pinned, with the guards: one that contradicts another before it, or what is pinned, is left out.
    *
    * @param pinned
    *   pairs (before, after) of written positions
    */
  def precedence(size: Int, pinned: Seq[(Int, Int)], guards: Seq[Guard]): Precedence = {
    val precedence = Precedence.of(size, pinned: _*)
    guards.foreach(g => precedence.add(g.first, g.second))
    precedence
  }

  /** Of guards between the same conjuncts the latest. They come first, so that they count where others
    * contradict them.
    */
  def latest(of: Seq[Guard]): Seq[Guard] =
    of.sortBy(g => (-g.met, g.first, g.second)).distinctBy(g => (g.first, g.second))
}
