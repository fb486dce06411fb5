package org.streamon.spark.execution.joins

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.expressions.{BasePredicate, UnsafeRow}
import org.streamon.core.joins.{Probe, ReferableSynopses}
import org.streamon.spark.execution.constraints.ColdRows
import org.streamon.spark.execution.state.{ArrivingRow, DurableRows, KeyGroup, Mirror, RowKeys, SpilledRows}

/** The synopses of a task, in the form that pipelines use. Rows are slots, and key classes are the
  * dimensions. A probe follows the group of a row that is already joined, so it needs no look-up in the
  * mirror.
  *
  * @param arriving
  *   the row whose pipeline runs
  * @param store
  *   has the rows of inputs that are not in the mirror
  * @param cold
  *   by input, the reader of its rows that have left memory; null if there are none
  * @param widths
  *   columns of each input
  * @param predicates
  *   the residual conditions of the graph
  * @param reads
  *   the inputs that each of them reads
  * @param trials
  *   by condition, whether a row on which it raises goes on, since it will be checked again
  */
final class JoinedInputs(
    arriving: ArrivingRow,
    mirror: Mirror,
    keys: RowKeys,
    store: DurableRows,
    cold: Array[ColdRows],
    widths: Array[Int],
    predicates: Array[BasePredicate],
    reads: IndexedSeq[Array[Int]],
    trials: Array[Boolean]
) extends ReferableSynopses {

  /** By input, where its rows are read when they are not in the mirror; null when they are. */
  private val spilled = Array.tabulate(widths.length)(i => if (mirror.spilled(i)) inStore(i) else null)
  private val dimensions = new ProbeDimensions(mirror, keys.constant)
  private val raised = new Array[Int](predicates.length)

  /** By condition, whether it is not tried any more. For a row as a whole: what is walked twice for it must
    * be the same.
    */
  private val givenUp = new Array[Boolean](predicates.length)

  /** The arriving row and those joined with it. */
  private val combined = new CombinedRow(widths)
  private val cursors = widths.map(new UnsafeRow(_))
  private var input = -1
  combined.rows.indices.foreach(j => combined.rows(j) = cursors(j))

  /** To be called when the arriving row is another. */
  def arrive(): Unit = {
    close()
    var j = 0
    while (j < raised.length) {
      givenUp(j) = raised(j) >= JoinedInputs.MostRaised
      j += 1
    }
    depart()
    dimensions.review()
    input = arriving.input
    combined.rows(input) = arriving.row
  }

  /** Ends what is being read of the state store. */
  def close(): Unit = {
    var j = 0
    while (j < spilled.length) {
      if (spilled(j) != null) spilled(j).forget()
      if (cold(j) != null) cold(j).forget()
      j += 1
    }
  }

  /** To be called when there is no arriving row any more: all rows are read from their synopses. */
  def depart(): Unit = if (input >= 0) {
    combined.rows(input) = cursors(input)
    input = -1
  }

  /** An input is read from the state store from now on. Probes made before must not be used. */
  def readFromStore(input: Int): Unit = spilled(input) = inStore(input)

  private def inStore(input: Int) = new SpilledRows(store.rowsOf(input, _, _, after = Long.MinValue))

  /** Points the combined row to what is joined. */
  def combine(joined: Array[Long]): CombinedRow = {
    var j = 0
    while (j < widths.length) {
      point(j, joined)
      j += 1
    }
    combined
  }

  override def satisfies(residual: Int, joined: Array[Long]): Boolean = {
    val read = reads(residual)
    var k = 0
    while (k < read.length) {
      point(read(k), joined)
      k += 1
    }
    if (trials(residual)) passes(residual) else predicates(residual).eval(combined)
  }

  override def key(keyClass: Int, input: Int, joined: Array[Long]): Long = {
    val group = groupOf(input, keyClass, joined)
    if (group == null) ReferableSynopses.NoKey else group.number
  }

  override def reference(window: Int, row: Long): Long =
    mirror.synopsis(window).reference(if (window == input) arriving.slot else row.toInt)

  override def holds(window: Int, reference: Long): Boolean = mirror.synopsis(window).holds(reference)

  override def departures(window: Int): Long = mirror.departures(window)

  /** What raises often is not tried any more: to raise costs more than to go on. */
  private def passes(trial: Int): Boolean =
    givenUp(trial) || {
      try predicates(trial).eval(combined)
      catch {
        case NonFatal(_) =>
          raised(trial) += 1
          true
      }
    }

  /** By the dimension in which the window has the fewest rows for a key; the others are compared. */
  override def probe(window: Int, classes: Long, from: Array[Int]): Probe =
    if (spilled(window) != null) new InStore(window, classes, from)
    else if (cold(window) != null) new InBoth(window, classes, from)
    else new InMirror(window, classes, from)

  /** Of a window, by some dimensions. A slot is handed from one pipeline to another, and where the next one
    * is depends on the dimension by which it was found: for a row it is the same in all of them.
    */
  private abstract class InWindow(window: Int, classes: Long) extends Probe {
    protected var by = -1
    protected var others: Array[Int] = _
    private var version = -1

    protected final def turn(): Unit = if (version != dimensions.version) {
      version = dimensions.version
      val shared = dimensions(window).filter(d => (classes >>> d & 1L) != 0L)
      by = shared.head
      others = shared.tail
    }
  }

  private final class InMirror(window: Int, classes: Long, from: Array[Int])
      extends InWindow(window, classes) {
    private val synopsis = mirror.synopsis(window)

    override def first(joined: Array[Long]): Long = {
      turn()
      val group = groupOf(from(by), by, joined)
      if (group == null) Probe.NoRow else agreeing(group.heads(window), joined)
    }

    override def next(row: Long, joined: Array[Long]): Long = {
      turn()
      agreeing(synopsis.next(by, row.toInt), joined)
    }

    private def agreeing(start: Int, joined: Array[Long]): Long = {
      var slot = start
      while (slot >= 0 && !agrees(slot, joined)) slot = synopsis.next(by, slot)
      slot.toLong
    }

    private def agrees(slot: Int, joined: Array[Long]): Boolean = {
      var k = 0
      while (
        k < others.length && (synopsis.group(others(k), slot) eq groupOf(from(others(k)), others(k), joined))
      )
        k += 1
      k == others.length
    }
  }

  private final class InStore(window: Int, classes: Long, from: Array[Int])
      extends InWindow(window, classes) {
    private val rows = spilled(window)
    private val row = new UnsafeRow(widths(window))

    override def first(joined: Array[Long]): Long = {
      turn()
      rows.turnTo(by, keyOf(from(by), by, joined))
      next(-1L, joined)
    }

    override def next(previous: Long, joined: Array[Long]): Long = {
      turn()
      var slot = previous.toInt + 1
      while (rows.has(slot) && !agrees(slot, joined)) slot += 1
      if (rows.has(slot)) slot.toLong else Probe.NoRow
    }

    private def agrees(slot: Int, joined: Array[Long]): Boolean = {
      rows.pointTo(slot, row)
      haveSameKeys(window, row, others, from, joined)
    }
  }

  /** In memory, and behind that what has left it. */
  private final class InBoth(window: Int, classes: Long, from: Array[Int]) extends InWindow(window, classes) {
    private val warm = new InMirror(window, classes, from)
    private val rows = cold(window)
    private val row = new UnsafeRow(widths(window))

    override def first(joined: Array[Long]): Long = {
      turn()
      val slot = warm.first(joined)
      if (slot != Probe.NoRow) slot else firstCold(joined)
    }

    override def next(handle: Long, joined: Array[Long]): Long = {
      turn()
      if (ColdRows.isCold(handle)) agreeing(handle + 1, joined)
      else {
        val slot = warm.next(handle, joined)
        if (slot != Probe.NoRow) slot else firstCold(joined)
      }
    }

    private def firstCold(joined: Array[Long]): Long = {
      val key = keyOf(from(by), by, joined)
      if (!rows.mayHave(by, mirror.code(by, key))) Probe.NoRow
      else {
        rows.turnTo(by, key)
        agreeing(ColdRows.First, joined)
      }
    }

    private def agreeing(start: Long, joined: Array[Long]): Long = {
      var handle = start
      while (rows.has(handle) && !agrees(handle, joined)) handle += 1
      if (rows.has(handle)) handle else Probe.NoRow
    }

    private def agrees(handle: Long, joined: Array[Long]): Boolean = {
      rows.pointTo(handle, row)
      haveSameKeys(window, row, others, from, joined)
    }
  }

  /** Whether a row of a window agrees in some dimensions with those that are joined. */
  private def haveSameKeys(
      window: Int,
      row: UnsafeRow,
      dimensions: Array[Int],
      from: Array[Int],
      joined: Array[Long]
  ): Boolean = {
    var k = 0
    while (
      k < dimensions.length &&
      keys(window, dimensions(k), row) == keyOf(from(dimensions(k)), dimensions(k), joined)
    ) k += 1
    k == dimensions.length
  }

  /** The group of a row that is joined; null when the mirror holds nothing of its key. */
  private def groupOf(j: Int, dimension: Int, joined: Array[Long]): KeyGroup =
    if (j == input) arriving.groups(dimension)
    else if (isInMemory(j, joined)) mirror.synopsis(j).group(dimension, joined(j).toInt)
    else mirror.find(dimension, keyOf(j, dimension, joined))

  private def keyOf(j: Int, dimension: Int, joined: Array[Long]): UnsafeRow =
    if (j == input) arriving.keys(dimension)
    else if (isInMemory(j, joined)) mirror.synopsis(j).group(dimension, joined(j).toInt).key
    else {
      point(j, joined)
      keys(j, dimension, cursors(j))
    }

  private def isInMemory(j: Int, joined: Array[Long]) =
    spilled(j) == null && (cold(j) == null || !ColdRows.isCold(joined(j)))

  private def point(j: Int, joined: Array[Long]): Unit =
    if (j != input)
      if (isInMemory(j, joined)) mirror.synopsis(j).pointTo(joined(j).toInt, cursors(j))
      else if (spilled(j) != null) spilled(j).pointTo(joined(j).toInt, cursors(j))
      else cold(j).pointTo(joined(j), cursors(j))
}

object JoinedInputs {

  /** Errors of a trial in one task. */
  private val MostRaised = 100
}
