package org.streamon.spark.execution.joins

import org.streamon.core.joins.Shares
import org.streamon.spark.execution.state.JoinShape
import org.streamon.spark.util.RecentlyUsed

/** The cells of an MJoin without a common key. Each cell is a partition. Some partitions may have no cell. */
object Hypercube {
  private val Capacity = 64

  // To find the best shares may take longer than an empty micro-batch, and every micro-batch has its own plan.
  private val known = new RecentlyUsed[(Seq[Seq[Boolean]], Int), Shares](Capacity)

  /** @param holders
    *   by input, by dimension: whether it has a key
    */
  def shares(holders: Seq[Seq[Boolean]], partitions: Int): Shares = {
    val key = (holders, partitions)
    Option(known.synchronized(known.get(key))).getOrElse {
      val found = new Shares(JoinShape.graph(holders), partitions)
      known.synchronized(known.put(key, found))
      found
    }
  }
}
