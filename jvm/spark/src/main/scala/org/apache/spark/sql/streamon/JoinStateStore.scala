package org.apache.spark.sql.streamon

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.catalyst.util.ArrayData
import org.apache.spark.sql.execution.streaming.state.StateStore
import org.streamon.spark.execution.joins.{DurableRows, StateHeader}

/** The rows of an MJoin's partition in a state store of Spark's. A row is put without a look at what is
  * there: its sequence number is its own.
  *
  * @param store
  *   with the column families of [[JoinStateSchema]]
  */
final class JoinStateStore(store: StateStore, inputs: Int) extends DurableRows {
  private val families = Array.tabulate(inputs)(JoinStateSchema.family)
  private val key = new UnsafeRow(2)
  key.pointTo(new Array[Byte](24), 24)
  private val headerKey = UnsafeProjection.create(JoinStateSchema.HeaderKey).apply(InternalRow(0)).copy()

  override def header: Option[StateHeader] =
    Option(store.get(headerKey, JoinStateSchema.HeaderFamily)).map { row =>
      StateHeader(row.getLong(0), row.getInt(1), row.getInt(2), row.getLong(3), row.getArray(4).toLongArray())
    }

  override def write(h: StateHeader): Unit = {
    val row = InternalRow(h.stamp, h.partition, h.partitions, h.sequence, ArrayData.toArrayData(h.rows))
    store.put(
      headerKey,
      UnsafeProjection.create(JoinStateSchema.Header).apply(row),
      JoinStateSchema.HeaderFamily
    )
  }

  override def put(input: Int, time: Long, sequence: Long, row: UnsafeRow): Unit =
    store.put(named(time, sequence), row, families(input))

  override def remove(input: Int, time: Long, sequence: Long): Unit =
    store.remove(named(time, sequence), families(input))

  override def foreach(input: Int)(f: (Long, Long, UnsafeRow) => Unit): Unit = {
    val rows = store.iterator(families(input))
    try rows.foreach(pair => f(pair.key.getLong(1), pair.key.getLong(0), pair.value))
    finally rows.close()
  }

  private def named(time: Long, sequence: Long): UnsafeRow = {
    key.setLong(0, sequence)
    key.setLong(1, time)
    key
  }
}
