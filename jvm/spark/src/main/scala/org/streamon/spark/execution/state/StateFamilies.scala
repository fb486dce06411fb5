package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.streaming.state._

/** The column families of a state store, and the name by which the rows of an MJoin are in them: a time and a
  * sequence.
  */
private[state] final class StateFamilies(store: StateStore) {
  private val name = new UnsafeRow(2)
  name.pointTo(new Array[Byte](24), 24)

  def open(schema: StateStoreColFamilySchema, isInternal: Boolean): Unit =
    store.createColFamilyIfAbsent(
      schema.colFamilyName,
      schema.keySchema,
      schema.valueSchema,
      schema.keyStateEncoderSpec.get,
      isInternal = isInternal
    )

  /** Reused from call to call. */
  def named(time: Long, sequence: Long): UnsafeRow = {
    name.setLong(0, sequence)
    name.setLong(1, time)
    name
  }

  /** All rows of a family with a time up to `bound`, by time. */
  def upTo(bound: Long, family: String): StateStoreIterator[UnsafeRowPair] =
    store.rangeScan(None, Some(named(bound + 1, 0L)), family)

  /** Hands on all pairs of a scan, and closes it. */
  def all(rows: StateStoreIterator[UnsafeRowPair])(f: UnsafeRowPair => Unit): Unit =
    try rows.foreach(f)
    finally rows.close()
}
