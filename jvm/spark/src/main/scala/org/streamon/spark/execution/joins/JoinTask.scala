package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{BasePredicate, UnsafeRow}
import org.streamon.core.caching.JoinCaches
import org.streamon.core.joins.PipelineExecutor
import org.streamon.spark.execution.constraints.TaskConstraints
import org.streamon.spark.execution.state.{
  ArrivingRow,
  DurableRows,
  JoinShape,
  Mirror,
  RowKeys,
  SpilledRows,
  Synopsis
}

/** Joins the rows of one micro-batch in one partition (thesis, Section 5.2). Each row goes through the
  * probing pipeline of its input, and then into the synopsis of its input.
  *
  * Rows come input by input, in the order of the shuffle. The results do not depend on this order, since the
  * last row of a result to come finds the result.
  *
  * @param arriving
  *   by input
  */
class JoinTask(parts: JoinTask.Parts, arriving: IndexedSeq[Iterator[InternalRow]])
    extends Iterator[CombinedRow] {
  import parts._

  private val n = shape.size
  private val dimensions = shape.dimensionsOf
  private val times = shape.bounds.times.map(_.orNull).toArray
  private val isNamed = shape.namesSpilled

  /** Rows kept, and rows that went. */
  var updated: Long = 0L
  var removed: Long = 0L

  /** Whether the state is another than before. */
  def changed: Boolean =
    updated > 0 || removed > 0 || mirror.altered || constraints != null && constraints.changed

  /** By input: rows that went into its pipeline, and results found by them. */
  val arrived: Array[Long] = new Array[Long](n)
  val results: Array[Long] = new Array[Long](n)

  protected var input: Int = 0
  private var caching = caches
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
    if (constraints != null) constraints.found(executors(input).joined)
    joined.combine(executors(input).joined)
  }

  /** False at the end. */
  private def step(): Boolean =
    if (input == n) false
    else {
      if (generating) {
        found = executors(input).next()
        generating = found
      } else {
        if (memory.isDue) makeRoom()
        advance()
      }
      true
    }

  /** Keeps within what the executor has for this partition. To be called between two rows. */
  def makeRoom(): Unit = memory.review(spill)

  /** Lets an input be read from the state store from now on, in this micro-batch and later ones. */
  protected def spill(input: Int): Unit = {
    if (constraints != null) constraints.spills(input)
    toStore(input)
    joined.readFromStore(input)
    executors.foreach(_.reopen())
    caching = None
  }

  /** Goes on to the next row, or the next input; behind the last, `input` is the number of inputs. */
  protected def advance(): Unit =
    if (arriving(input).hasNext) arrive(arriving(input).next().asInstanceOf[UnsafeRow]) else input += 1

  protected def arrive(arriving: UnsafeRow): Unit =
    if ((filters(input) == null || filters(input).eval(arriving)) && matchable(arriving)) {
      arrived(input) += 1
      row.input = input
      row.row = arriving
      joined.arrive()
      if (constraints != null) constraints.rowArrived()
      // It is kept first, so that caches can refer to it; its own pipeline does not look into its synopsis.
      row.slot = if (mirror.spilled(input)) keepInStore() else keep()
      if (constraints != null) constraints.kept(row.slot)
      if (caching.nonEmpty) caching.get.begin(inserting = true, isKept = row.slot >= 0)
      if (routes(input) != null) executors(input).follow(routes(input).orderOf(arriving))
      generating = executors(input).arrive(0L)
    }

  /** Finds what the row is joined by. False when it has a key that equals none. */
  private def matchable(arriving: UnsafeRow): Boolean = {
    val own = dimensions(input)
    var k = 0
    while (k < own.length) {
      val d = own(k)
      row.keys(d) = keys(input, d, arriving)
      if (!keys.matchable(d, row.keys(d))) return false
      row.codes(d) = mirror.code(d, row.keys(d))
      row.groups(d) = mirror.find(d, row.keys(d), row.codes(d))
      k += 1
    }
    true
  }

  private def time: Long = if (times(input) == null) Synopsis.Never else times(input)(row.keys, row.row)

  /** The slot of the row at hand, now that it is kept. A row that goes in this very micro-batch is kept in
    * memory for what is still to come in it; behind the last input nothing is, and the slot is -1.
    */
  private def keep(): Int = {
    val until = time
    val goes = until <= bounds(input)
    if (goes && lastToCome) -1
    else {
      val sequence = if (goes) -1L - mirror.sequence else mirror.sequence
      if (!goes && !(constraints != null && constraints.writes)) store.put(input, until, sequence, row.row)
      mirror.sequence += 1
      createGroups()
      memory.grows(row.row.getSizeInBytes)
      val slot = mirror.append(row.groups, input, SpilledRows.bytesOf(row.row), until, sequence)
      kept(slot, sequence)
      updated += 1
      slot
    }
  }

  /** Whether no rows of other inputs are still to come. */
  protected def lastToCome: Boolean = input == n - 1

  /** The row at hand is in the synopsis now.
    *
    * @param slot
    *   negative when it is only in the state store
    */
  protected def kept(slot: Int, sequence: Long): Unit = ()

  private def createGroups(): Unit = {
    val own = dimensions(input)
    var k = 0
    while (k < own.length) {
      val d = own(k)
      if (row.groups(d) == null) row.groups(d) = mirror.create(d, row.keys(d), row.codes(d))
      k += 1
    }
  }

  private def keepInStore(): Int = {
    val until = time
    if (isNamed(input)) store.put(input, until, mirror.sequence, row.row)
    val own = dimensions(input)
    var k = 0
    while (k < own.length) {
      store.putKeyed(input, own(k), row.keys(own(k)), until, mirror.sequence, row.row)
      k += 1
    }
    kept(-1, mirror.sequence)
    mirror.sequence += 1
    mirror.spilledRows(input) += 1
    updated += 1
    -1
  }

  /** Ends what is still being read. To be called when there are no more results. */
  def close(): Unit = joined.close()

  /** Lets go of what no future row can meet. To be called when there are no more results. */
  def expire(): Unit = {
    (0 until n).foreach { i =>
      if (mirror.spilled(i)) expireInStore(i) else expireInMirror(i, () => mirror.expire(i, bounds(i)))
    }
    (0 until n).foreach(i => expireInMirror(i, () => mirror.expireUnmet(i, unmet(i))))
    if (constraints != null) {
      constraints.settle()
      removed += constraints.removed
    }
  }

  /** @param take
    *   takes one row out and gives its slot, or -1
    */
  private def expireInMirror(i: Int, take: () => Int): Unit = {
    val synopsis = mirror.synopsis(i)
    var slot = take()
    while (slot >= 0) {
      if (synopsis.sequence(slot) >= 0L) store.remove(i, synopsis.time(slot), synopsis.sequence(slot))
      if (constraints != null) constraints.left(i, slot)
      removed += 1
      slot = take()
    }
  }

  private def expireInStore(i: Int): Unit = if (bounds(i) > Long.MinValue)
    store.foreach(i, bounds(i)) { (time, sequence, row) =>
      store.remove(i, time, sequence)
      keys.removeFrom(store, i, row, time, sequence)
      mirror.spilledRows(i) -= 1
      removed += 1
    }
}

object JoinTask {

  /** What a task works with.
    *
    * @param filters
    *   by input, what its rows must pass by themselves; null when nothing
    * @param executors
    *   by input, its pipeline over `joined`
    * @param routes
    *   by input, the orders of its rows; null where all have one
    * @param row
    *   where `joined` finds the arriving row
    * @param bounds
    *   by input, microseconds: rows with a time up to it go at the end
    * @param unmet
    *   by input, microseconds: rows with a time up to it go then if they have no partner
    * @param caches
    *   those that the executors go through
    * @param constraints
    *   null where none are watched
    * @param toStore
    *   writes what lets an input be read from the state store, and takes it out of the mirror
    */
  final class Parts(
      val shape: JoinShape,
      val filters: Array[BasePredicate],
      val executors: Array[PipelineExecutor],
      val routes: Array[TaskRoutes],
      val keys: RowKeys,
      val row: ArrivingRow,
      val joined: JoinedInputs,
      val mirror: Mirror,
      val store: DurableRows,
      val bounds: Array[Long],
      val unmet: Array[Long],
      val caches: Option[JoinCaches],
      val constraints: TaskConstraints,
      val memory: TaskMemory,
      val toStore: Spill
  )
}
