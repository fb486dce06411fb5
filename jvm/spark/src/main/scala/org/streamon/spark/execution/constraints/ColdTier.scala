package org.streamon.spark.execution.constraints

import org.apache.spark.util.sketch.BloomFilter
import org.streamon.spark.execution.state.JoinShape

/** The cold rows of one partition: rows that have left memory and are only in the state store, under their
  * keys. It keeps their number, and in memory a filter of their keys for each dimension, which avoids most
  * look-ups without a match (thesis, Section 6.6.3).
  *
  * Expired rows are not read any more. They stay until there are as many of them as other rows, and are then
  * deleted together. To delete each at its time, it would have to be written under its time too. The filters
  * cannot forget keys, so they are rebuilt at that moment, and when they are full.
  */
final class ColdTier(shape: JoinShape) {
  private val filters = Array.ofDim[BloomFilter](shape.size, shape.dimensions)
  private val times = Array.fill(shape.size)(new TimeCounts)

  /** By input: the rows that its filters are made for, those put into them, and of these the ones that have
    * been taken back.
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
  def add(input: Int, time: Long, code: Int => Long): Unit = {
    if (room(input) == 0L) begin(input, 0L)
    rows(input) += 1
    filled(input) += 1
    times(input).add(time)
    for (d <- shape.dimensionsOf(input)) filters(input)(d).putLong(code(d))
  }

  /** A cold row is taken back. */
  def remove(input: Int, time: Long): Unit = {
    rows(input) -= 1
    stale(input) += 1
    times(input).remove(time)
  }

  /** An input has none any longer. */
  def clear(input: Int): Unit = {
    rows(input) = 0L
    room(input) = 0L
    filled(input) = 0L
    stale(input) = 0L
    times(input) = new TimeCounts
    filters(input).indices.foreach(filters(input)(_) = null)
  }

  /** Whether it is worth to walk through the cold rows of an input, to take out those that are past and to
    * tell the others anew. To be asked between micro-batches.
    *
    * @param bound
    *   rows with a time up to it are past
    */
  def isDue(input: Int, bound: Long): Boolean = {
    val left = live(input, bound)
    val enough = math.max(left, ColdTier.Least)
    rows(input) - left > enough || stale(input) > enough || filled(input) > room(input)
  }

  /** Rows of an input that are not past, at most: see `isDue`. */
  def live(input: Int, bound: Long): Long = rows(input) - times(input).upTo(bound)

  /** All cold rows of an input are told anew.
    *
    * @param expected
    *   how many there are, at most about
    */
  def begin(input: Int, expected: Long): Unit = {
    clear(input)
    room(input) = math.max(2 * expected, ColdTier.Least)
    for (d <- shape.dimensionsOf(input))
      filters(input)(d) = BloomFilter.create(room(input), ColdTier.FalsePositives)
  }

  def bytes: Long =
    filters.flatten.filter(_ != null).map(_.bitSize / 8).sum + times.map(_.memoryBytes).sum
}

object ColdTier {
  private val Least = 1024L

  /** The share of keys that are taken for others: about ten bits for each. */
  private val FalsePositives = 0.01
}
