package org.streamon.spark.execution.state

import java.lang.{Long => JLong}
import java.util.{Collections, IdentityHashMap}

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.expressions.{
  BoundReference,
  InterpretedUnsafeProjection,
  UnsafeProjection,
  UnsafeRow
}
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.streamon.OutsideTask
import org.apache.spark.sql.types.StructType

/** The column families of a state store, and the name of a row in them: its time and its sequence number.
  *
  * The store sorts names as bytes. Spark writes a number in the byte order of the machine, mostly with the
  * lowest byte first. With the bytes reversed, the numbers of successive rows are in sorted order. RocksDB
  * then adds rows at the end of its sorted list, which takes half the time of an insertion in the middle.
  */
private[state] final class StateFamilies(store: StateStore) {
  private val name = StateFamilies.longs(2)

  /** Whether numbers are turned round. Those of states that an earlier build began are not. */
  private[state] var turns: Boolean = true

  /** Scans by prefix that are open: few at a time, of very many. One listener closes those that a task leaves
    * open.
    */
  private val scans =
    Collections.newSetFromMap(new IdentityHashMap[StateStoreIterator[UnsafeRowPair], java.lang.Boolean])
  Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => scans.forEach(_.close())))

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
    name.setLong(0, turned(sequence))
    name.setLong(1, time)
    name
  }

  def timeOf(name: UnsafeRow): Long = name.getLong(1)

  def sequenceOf(name: UnsafeRow): Long = turned(name.getLong(0))

  private def turned(number: Long): Long = if (turns) JLong.reverseBytes(number) else number

  /** All rows of a family with a time up to `bound`, by time. */
  def upTo(bound: Long, family: String): StateStoreIterator[UnsafeRowPair] =
    store.rangeScan(None, Some(named(bound + 1, 0L)), family)

  /** All rows of a family with a prefix of their keys. To be closed. */
  def under(prefix: UnsafeRow, family: String): StateStoreIterator[UnsafeRowPair] = {
    val rows = OutsideTask(store.prefixScan(prefix, family))
    scans.add(rows)
    rows
  }

  /** Closes such a scan. */
  def close(rows: StateStoreIterator[UnsafeRowPair]): Unit = {
    scans.remove(rows)
    rows.close()
  }

  /** Hands on all pairs of a scan, and closes it. */
  def all(rows: StateStoreIterator[UnsafeRowPair])(f: UnsafeRowPair => Unit): Unit =
    try rows.foreach(f)
    finally rows.close()
}

private[state] object StateFamilies {

  /** A row of up to 64 numbers to be set. */
  def longs(size: Int): UnsafeRow = {
    val row = new UnsafeRow(size)
    val bytes = 8 * (1 + size)
    row.pointTo(new Array[Byte](bytes), bytes)
    row
  }

  /** Writes rows of a schema, few in a micro-batch: to generate code takes longer than they do. */
  def rarely(schema: StructType): UnsafeProjection =
    InterpretedUnsafeProjection.createProjection(schema.zipWithIndex.map { case (field, ordinal) =>
      BoundReference(ordinal, field.dataType, field.nullable)
    })
}
