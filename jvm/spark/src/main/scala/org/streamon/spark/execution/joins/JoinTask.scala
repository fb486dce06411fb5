package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BasePredicate, UnsafeProjection, UnsafeRow}
import org.streamon.core.joins.PipelineExecutor

/** Joins what one micro-batch brings to one partition (thesis, Section 5.2): each row goes through the
  * probing pipeline of its input, and then into its synopsis.
  *
  * Rows come input by input, in whatever order a shuffle gives them: which results there are does not depend
  * on it, since each is found by the last of its rows to come.
  *
  * @param keys
  *   by input, the key of a row
  * @param filters
  *   by input, what its rows must pass by themselves; null when nothing
  * @param executors
  *   by input, its pipeline over `joined`
  * @param bounds
  *   by input, microseconds: rows with a time up to it go at the end
  */
final class JoinTask(
    shape: JoinShape,
    arriving: IndexedSeq[Iterator[InternalRow]],
    keys: Array[UnsafeProjection],
    filters: Array[BasePredicate],
    executors: Array[PipelineExecutor],
    joined: JoinedInputs,
    mirror: Mirror,
    store: DurableRows,
    bounds: Array[Long]
) extends Iterator[CombinedRow] {
  private val n = shape.size
  private val nullSafe = shape.nullSafe.toArray
  private val times = shape.bounds.times.map(_.orNull).toArray

  /** Rows kept, and rows that went. */
  var updated: Long = 0L
  var removed: Long = 0L

  /** By input: rows that went into its pipeline, and results found by them. */
  val arrived: Array[Long] = new Array[Long](n)
  val results: Array[Long] = new Array[Long](n)

  private var input = 0
  private var generating = false
  private var found = false

  override def hasNext: Boolean = {
    while (!found && step()) ()
    found
  }

  override def next(): CombinedRow = {
    if (!hasNext) throw new NoSuchElementException("no more results")
    found = false
    results(input) += 1
    joined.combine(executors(input).joined)
  }

  /** False at the end. */
  private def step(): Boolean =
    if (input == n) false
    else {
      if (generating) {
        found = executors(input).next()
        generating = found
      } else if (arriving(input).hasNext) arrive(arriving(input).next().asInstanceOf[UnsafeRow])
      else input += 1
      true
    }

  private def arrive(row: UnsafeRow): Unit =
    if (filters(input) == null || filters(input).eval(row)) {
      val key = keys(input)(row)
      if (matchable(key)) {
        arrived(input) += 1
        val group = mirror.find(key)
        if (group != null || spilledBeside(input)) {
          joined.arrive(input, row, key, group)
          generating = executors(input).arrive(0L)
        }
        if (mirror.spilled(input)) keepInStore(key, row) else keep(group, key, row)
      }
    }

  /** By input, whether none of the others is in the mirror. */
  private val spilledBeside = Array.tabulate(n)(i => (0 until n).forall(j => j == i || mirror.spilled(j)))

  /** Whether a key can equal any other: false where it has a null that equals nothing. */
  private def matchable(key: UnsafeRow): Boolean = {
    var part = 0
    while (part < nullSafe.length && (nullSafe(part) || !key.isNullAt(part))) part += 1
    part == nullSafe.length
  }

  private def timeOf(key: UnsafeRow, row: UnsafeRow): Long =
    if (times(input) == null) Synopsis.Never else times(input)(key, row)

  /** A row that goes in this very micro-batch is kept in memory for what is still to come in it; behind the
    * last input nothing is.
    */
  private def keep(group: KeyGroup, key: UnsafeRow, row: UnsafeRow): Unit = {
    val time = timeOf(key, row)
    val goes = time <= bounds(input)
    if (!goes || input < n - 1) {
      val sequence = if (goes) -1L else mirror.sequence
      if (!goes) {
        store.put(input, time, sequence, row)
        mirror.sequence += 1
      }
      val own = if (group == null) mirror.create(key) else group
      mirror.append(own, input, SpilledRows.bytesOf(row), time, sequence)
      updated += 1
    }
  }

  private def keepInStore(key: UnsafeRow, row: UnsafeRow): Unit = {
    val time = timeOf(key, row)
    store.put(input, time, mirror.sequence, row)
    store.putKeyed(input, key, time, mirror.sequence, row)
    mirror.sequence += 1
    mirror.spilledRows(input) += 1
    updated += 1
  }

  /** Lets go of what no future row can meet. To be called when there are no more results. */
  def expire(): Unit =
    (0 until n).foreach(i => if (mirror.spilled(i)) expireInStore(i) else expireInMirror(i))

  private def expireInMirror(i: Int): Unit = {
    val synopsis = mirror.synopsis(i)
    var slot = mirror.expire(i, bounds(i))
    while (slot >= 0) {
      if (synopsis.sequence(slot) >= 0L) store.remove(i, synopsis.time(slot), synopsis.sequence(slot))
      removed += 1
      slot = mirror.expire(i, bounds(i))
    }
  }

  private def expireInStore(i: Int): Unit = if (bounds(i) > Long.MinValue)
    store.foreach(i, bounds(i)) { (time, sequence, row) =>
      store.remove(i, time, sequence)
      store.removeKeyed(i, keys(i)(row), time, sequence)
      mirror.spilledRows(i) -= 1
      removed += 1
    }
}
