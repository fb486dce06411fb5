package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{JoinedRow, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.catalyst.util.ArrayData
import org.apache.spark.sql.execution.streaming.state.{StateStore, UnsafeRowPair}

/** The rows of a partition of an MJoin in a state store of Spark. A row is put without reading the store
  * first, since its sequence number is unique.
  *
  * The first change creates all column families of [[JoinStateSchema]] in a fixed order, since changelogs
  * refer to them by number. Later, the families of spilled inputs are opened only when they are needed, since
  * each costs a millisecond in every micro-batch.
  */
final class JoinStateStore(store: StateStore, shape: JoinShape) extends DurableRows {
  private val families = Array.tabulate(shape.size)(JoinStateSchema.family)
  private val keyedFamilies =
    Array.tabulate(shape.size, shape.dimensions)(JoinStateSchema.keyedFamily)
  private val state = new StateFamilies(store)
  import JoinStateSchema.{formerHeaderId, headerId}
  import state.{all, named, sequenceOf, timeOf, upTo}

  private val schemas = JoinStateSchema.all(shape)
  private val keyedReady = new Array[Boolean](shape.size)
  families.foreach(open)
  open(JoinStateSchema.HeaderFamily)

  private val headerKey = StateFamilies.rarely(JoinStateSchema.HeaderKey)
  private lazy val keyed = Array.tabulate(shape.size, shape.dimensions) { (i, d) =>
    if (shape.holds(i, d)) UnsafeProjection.create(JoinStateSchema.keyedBy(shape.keys(d)(i))) else null
  }
  private val keyAndName = new JoinedRow
  private val name = StateFamilies.longs(2)
  private val markReady = new Array[Boolean](shape.size)
  private val (found, isCurrent, turned) = {
    val headers = for {
      (id, isCurrent) <- Iterator((headerId(_), true), (formerHeaderId(_), false))
      turned <- Iterator(true, false)
      header <- read(id(turned))
    } yield (Option(header), isCurrent, turned)
    headers.nextOption().getOrElse((None, false, true))
  }
  state.turns = turned
  if (found.isEmpty) {
    (0 until shape.size).foreach(openKeyed)
    (0 until shape.size).foreach(openMarks)
    constraints
  }

  override def header: Option[StateHeader] = found

  private def read(id: Int): Option[StateHeader] =
    Option(store.get(headerKey(InternalRow(id)), JoinStateSchema.HeaderFamily)).map { row =>
      StateHeader(
        row.getLong(0),
        row.getInt(1),
        row.getInt(2),
        row.getLong(3),
        row.getArray(4).toLongArray(),
        row.getArray(5).toBooleanArray()
      )
    }

  override def write(h: StateHeader): Unit = {
    write(h, headerId(turned))
    // An earlier build would lose rows. It refuses another partition.
    if (!isCurrent) Seq(true, false).foreach(t => write(h.copy(partition = -1), formerHeaderId(t)))
  }

  private def write(h: StateHeader, id: Int): Unit = {
    val (rows, spilled) = (ArrayData.toArrayData(h.rows), ArrayData.toArrayData(h.spilled))
    val row = StateFamilies
      .rarely(JoinStateSchema.Header)
      .apply(InternalRow(h.stamp, h.partition, h.partitions, h.sequence, rows, spilled))
    store.put(headerKey(InternalRow(id)), row, JoinStateSchema.HeaderFamily)
  }

  override def put(input: Int, time: Long, sequence: Long, row: UnsafeRow): Unit =
    store.put(named(time, sequence), row, families(input))

  override def remove(input: Int, time: Long, sequence: Long): Unit =
    store.remove(named(time, sequence), families(input))

  override def get(input: Int, time: Long, sequence: Long): UnsafeRow =
    store.get(named(time, sequence), families(input))

  override def foreach(input: Int, bound: Long)(f: (Long, Long, UnsafeRow) => Unit): Unit =
    all {
      if (bound == Long.MaxValue) store.iterator(families(input))
      else upTo(bound, families(input))
    }(pair => f(timeOf(pair.key), sequenceOf(pair.key), pair.value))

  override def putKeyed(
      input: Int,
      dimension: Int,
      key: UnsafeRow,
      time: Long,
      sequence: Long,
      row: UnsafeRow
  ): Unit =
    store.put(underKey(input, dimension, key, time, sequence), row, keyedFamily(input, dimension))

  override def removeKeyed(input: Int, dimension: Int, key: UnsafeRow, time: Long, sequence: Long): Unit =
    store.remove(underKey(input, dimension, key, time, sequence), keyedFamily(input, dimension))

  override def rowsOf(input: Int, dimension: Int, key: UnsafeRow, after: Long): KeyedRows = {
    val parts = key.numFields
    val pairs = state.under(key, keyedFamily(input, dimension))
    new KeyedRows {
      private var pair: UnsafeRowPair = _
      override def next(): Boolean = {
        var found = false
        while (!found && pairs.hasNext) {
          pair = pairs.next()
          found = time > after
        }
        found
      }
      override def time: Long = pair.key.getLong(parts)
      override def sequence: Long = pair.key.getLong(parts + 1)
      override def row: UnsafeRow = pair.value
      override def close(): Unit = state.close(pairs)
    }
  }

  override def foreachKeyed(input: Int, dimension: Int)(f: (Long, Long, UnsafeRow) => Unit): Unit = {
    val parts = shape.keys(dimension)(input).size
    all(store.iterator(keyedFamily(input, dimension))) { pair =>
      f(pair.key.getLong(parts), pair.key.getLong(parts + 1), pair.value)
    }
  }

  override def getKeyed(
      input: Int,
      dimension: Int,
      key: UnsafeRow,
      time: Long,
      sequence: Long
  ): UnsafeRow = store.get(underKey(input, dimension, key, time, sequence), keyedFamily(input, dimension))

  override def mark(input: Int, time: Long, sequence: Long, died: Long): Unit = {
    mark.setLong(0, died)
    store.put(named(time, sequence), mark, markFamily(input))
  }

  override def unmark(input: Int, time: Long, sequence: Long): Unit =
    store.remove(named(time, sequence), markFamily(input))

  override def foreachMark(input: Int)(f: (Long, Long) => Unit): Unit =
    all(store.iterator(markFamily(input)))(pair => f(timeOf(pair.key), sequenceOf(pair.key)))

  override def foreachMarked(input: Int)(f: (Long, Long, UnsafeRow, Option[Long]) => Unit): Unit = {
    val dead = store.iterator(markFamily(input))
    def next() = if (dead.hasNext) {
      val pair = dead.next()
      (timeOf(pair.key), sequenceOf(pair.key), pair.value.getLong(0))
    } else null
    try {
      // Both lie in one order.
      var mark = next()
      foreach(input, Long.MaxValue) { (time, sequence, row) =>
        while (mark != null && mark._1 < time) mark = next()
        val isMarked = mark != null && mark._1 == time && mark._2 == sequence
        f(time, sequence, row, if (isMarked) Some(mark._3) else None)
        if (isMarked) mark = next()
      }
    } finally dead.close()
  }

  override def hasKeyed(input: Int, dimension: Int, key: UnsafeRow, after: Long): Boolean = {
    val rows = rowsOf(input, dimension, key, after)
    try rows.next()
    finally rows.close()
  }

  lazy val constraints: DurableConstraints =
    new ConstraintStore(store, state, schemas(JoinStateSchema.ConstraintFamily))

  /** Those of the same partition; none without windows of rows. */
  val windows: Option[DurableWindows] = shape.order.map(new WindowStore(store, state, shape, _))

  private val mark = StateFamilies.longs(1)

  private def markFamily(input: Int): String = {
    if (!markReady(input)) openMarks(input)
    JoinStateSchema.markFamily(input)
  }

  private def openMarks(input: Int): Unit = {
    open(JoinStateSchema.markFamily(input))
    markReady(input) = true
  }

  private def keyedFamily(input: Int, dimension: Int): String = {
    if (!keyedReady(input)) openKeyed(input)
    keyedFamilies(input)(dimension)
  }

  private def openKeyed(input: Int): Unit = {
    for (d <- shape.dimensionsOf(input)) open(keyedFamilies(input)(d))
    keyedReady(input) = true
  }

  private def open(family: String): Unit =
    state.open(schemas(family), JoinStateSchema.isInternal(family))

  private def underKey(
      input: Int,
      dimension: Int,
      key: UnsafeRow,
      time: Long,
      sequence: Long
  ): UnsafeRow = {
    name.setLong(0, time)
    name.setLong(1, sequence)
    keyed(input)(dimension)(keyAndName(key, name))
  }
}
