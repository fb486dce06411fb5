package org.streamon.core.joins

import scala.annotation.tailrec

/** The shares of the least load, by branch and bound from a greedy start. After `NodeLimit` partial choices
  * (many dimensions and hundreds of partitions) the best found so far stands.
  *
  * @param holders
  *   by dimension, the inputs that hold it, as bits
  */
private[joins] final class ShareSearch(holders: IndexedSeq[Long], rows: IndexedSeq[Double], partitions: Int) {
  import ShareSearch._

  private val chosen = Array.fill(holders.size)(1)
  private var incumbent = greedy()
  private var visited = 0

  def best: IndexedSeq[Int] = {
    search(0, partitions)
    incumbent
  }

  private def search(d: Int, left: Int): Unit =
    if (d == holders.size) {
      if (better(chosen.toVector)) incumbent = chosen.toVector
    } else {
      var share = 1
      while (share <= left && visited < NodeLimit) {
        visited += 1
        chosen(d) = share
        if (bound(d + 1, left / share) <= load(holders, rows, incumbent) * (1 + Slack))
          search(d + 1, left / share)
        share += 1
      }
      chosen(d) = 1
    }

  /** No completion from dimension d on has a lower load: as if every input that holds one of the rest had all
    * that is left for itself.
    */
  private def bound(d: Int, left: Int): Double = rows.indices.map { i =>
    val open = (d until holders.size).exists(k => Bits.contains(holders(k), i))
    rows(i) / cut(holders.take(d), chosen.toIndexedSeq, i) / (if (open) left else 1)
  }.sum

  private def better(shares: IndexedSeq[Int]): Boolean = {
    val (its, own) = (load(holders, rows, shares), load(holders, rows, incumbent))
    its < own * (1 - Slack) || its <= own * (1 + Slack) && (shares.product < incumbent.product)
  }

  /** One more share where it lowers the load most, while there are partitions. */
  private def greedy(): IndexedSeq[Int] = {
    @tailrec def grow(shares: IndexedSeq[Int]): IndexedSeq[Int] = {
      val best = shares.indices
        .map(d => shares.updated(d, shares(d) + 1))
        .filter(_.map(_.toLong).product <= partitions)
        .minByOption(load(holders, rows, _))
      best match {
        case Some(more) if load(holders, rows, more) < load(holders, rows, shares) => grow(more)
        case _                                                                     => shares
      }
    }
    grow(holders.map(_ => 1))
  }
}

private[joins] object ShareSearch {
  val NodeLimit = 100000

  /** Relative difference of loads that counts as none. */
  val Slack = 1e-9

  /** The shares of the dimensions that an input holds, multiplied. */
  private def cut(holders: IndexedSeq[Long], shares: IndexedSeq[Int], input: Int): Double =
    holders.indices.filter(d => Bits.contains(holders(d), input)).map(shares(_).toDouble).product

  def load(holders: IndexedSeq[Long], rows: IndexedSeq[Double], shares: IndexedSeq[Int]): Double =
    rows.indices.map(i => rows(i) / cut(holders, shares, i)).sum
}
