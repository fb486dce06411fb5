package org.streamon.spark.execution.constraints

import org.apache.spark.util.sketch.BloomFilter
import org.streamon.spark.execution.state.JoinShape

/** The rows of one partition that memory has let go of and that lie in the state store under their keys: how
  * many there are, and in memory a filter of their keys for each dimension, so that few are looked for in
  * vain (thesis, Section 6.6.3). A filter forgets nothing, so it is made anew when much of it is of rows that
  * have gone, or when it has more than it was made for.
  */
final class ColdTier(shape: JoinShape) {
  private val filters = Array.ofDim[BloomFilter](shape.size, shape.dimensions)

  /** By input: the rows that its filters are made for, those put into them, and of these the ones that have
    * gone.
    */
  private val room, filled, stale = new Array[Long](shape.size)

  /** By input. */
  val rows: Array[Long] = new Array[Long](shape.size)

  /** Whether an input may have cold rows with a key. */
  def mayHave(input: Int, dimension: Int, code: Long): Boolean =
    rows(input) > 0 && filters(input)(dimension).mightContainLong(code)

  /** A row becomes cold.
    *
    * @param code
    *   by dimension, the number of its key
    */
  def add(input: Int, code: Int => Long): Unit = {
    if (room(input) == 0L) empty(input)
    rows(input) += 1
    filled(input) += 1
    for (d <- shape.dimensionsOf(input)) filters(input)(d).putLong(code(d))
  }

  /** A cold row has gone. */
  def remove(input: Int): Unit = {
    rows(input) -= 1
    stale(input) += 1
  }

  /** All of an input have. */
  def clear(input: Int): Unit = {
    rows(input) = 0L
    room(input) = 0L
    filters(input).indices.foreach(filters(input)(_) = null)
  }

  /** Makes the filters anew of which that is worth it. To be called between micro-batches.
    *
    * @param keys
    *   gives the numbers of the keys of all cold rows of an input in a dimension
    */
  def maintain(keys: (Int, Int, Long => Unit) => Unit): Unit = for (i <- rows.indices) {
    if (rows(i) == 0) clear(i)
    else if (stale(i) > math.max(rows(i), ColdTier.Least) || filled(i) > room(i)) refill(i, keys)
  }

  /** Takes over what the state store has.
    *
    * @param count
    *   by input
    */
  def read(count: Array[Long], keys: (Int, Int, Long => Unit) => Unit): Unit = for (i <- rows.indices) {
    rows(i) = count(i)
    if (count(i) > 0) refill(i, keys)
  }

  private def refill(input: Int, keys: (Int, Int, Long => Unit) => Unit): Unit = {
    empty(input)
    filled(input) = rows(input)
    for (d <- shape.dimensionsOf(input)) keys(input, d, filters(input)(d).putLong(_))
  }

  private def empty(input: Int): Unit = {
    room(input) = math.max(2 * rows(input), ColdTier.Least)
    filled(input) = 0L
    stale(input) = 0L
    for (d <- shape.dimensionsOf(input))
      filters(input)(d) = BloomFilter.create(room(input), ColdTier.FalsePositives)
  }

  def bytes: Long = filters.flatten.filter(_ != null).map(_.bitSize / 8).sum
}

object ColdTier {
  private val Least = 1024L

  /** The share of keys that are taken for others: about ten bits for each. */
  private val FalsePositives = 0.01
}
