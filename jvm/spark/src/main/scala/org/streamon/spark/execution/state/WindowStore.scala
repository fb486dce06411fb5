package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.execution.streaming.state.StateStore
import org.apache.spark.sql.types.LongType

/** The windows of rows of an MJoin's partition in the state store of its rows. Its column families are those
  * of [[WindowSchema]], created in one order after those of the rows.
  */
private[state] final class WindowStore(
    store: StateStore,
    state: StateFamilies,
    shape: JoinShape,
    order: InOrder
) extends DurableWindows {
  import state.{all, named, timeOf, upTo}

  private val pending = Array.tabulate(shape.size)(WindowSchema.pending)
  private val counts = Array.tabulate(shape.size)(WindowSchema.counts)
  private val sequences = Array.tabulate(shape.size)(WindowSchema.sequences)
  for (schema <- WindowSchema.all(shape, order))
    state.open(schema, isInternal = true)

  private val value = new UnsafeRow(1)
  value.pointTo(new Array[Byte](16), 16)
  private val number = new SpecificInternalRow(Seq(LongType))
  private val groupAndNumber = new JoinedRow
  private val numbered = order.inputs.map {
    _.window.map(w => UnsafeProjection.create(WindowSchema.numbered(w))).orNull
  }.toArray

  // By input, the columns of a key before the number.
  private val groupOf = order.inputs.map {
    _.window
      .map { w =>
        UnsafeProjection.create(WindowSchema.group(w).zipWithIndex.map { case (field, part) =>
          BoundReference(part, field.dataType, field.nullable)
        })
      }
      .orNull
  }.toArray

  override def putPending(input: Int, time: Long, sequence: Long, row: UnsafeRow): Unit =
    store.put(named(time, sequence), row, pending(input))

  override def takePending(input: Int, bound: Long)(f: (Long, UnsafeRow) => Unit): Unit =
    all(upTo(bound, pending(input))) { pair =>
      f(timeOf(pair.key), pair.value)
      store.remove(pair.key, pending(input))
    }

  override def count(input: Int, group: UnsafeRow): Long = {
    val known = store.get(group, counts(input))
    if (known == null) 0L else known.getLong(0)
  }

  override def putCount(input: Int, group: UnsafeRow, count: Long): Unit =
    store.put(group, long(count), counts(input))

  override def foreachCount(input: Int)(f: (UnsafeRow, Long) => Unit): Unit =
    all(store.iterator(counts(input)))(pair => f(pair.key, pair.value.getLong(0)))

  override def sequence(input: Int, group: UnsafeRow, number: Long): Long = {
    val known = store.get(keyOf(input, group, number), sequences(input))
    if (known == null) -1L else known.getLong(0)
  }

  override def putSequence(input: Int, group: UnsafeRow, number: Long, sequence: Long): Unit =
    store.put(keyOf(input, group, number), long(sequence), sequences(input))

  override def removeSequence(input: Int, group: UnsafeRow, number: Long): Unit =
    store.remove(keyOf(input, group, number), sequences(input))

  override def foreachSequence(input: Int)(f: (UnsafeRow, Long, Long) => Unit): Unit =
    all(store.iterator(sequences(input))) { pair =>
      f(groupOf(input)(pair.key), pair.key.getLong(pair.key.numFields - 1), pair.value.getLong(0))
    }

  private def keyOf(input: Int, group: UnsafeRow, n: Long): UnsafeRow = {
    number.setLong(0, n)
    numbered(input)(groupAndNumber(group, number))
  }

  private def long(n: Long): UnsafeRow = {
    value.setLong(0, n)
    value
  }
}
