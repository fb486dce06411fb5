package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection
import org.apache.spark.sql.catalyst.util.ArrayData
import org.apache.spark.sql.execution.streaming.state.{StateStore, StateStoreColFamilySchema}
import org.apache.spark.unsafe.types.UTF8String

/** The constraints of an MJoin's partition in the state store of its rows: a column family of their own. */
private[state] final class ConstraintStore(
    store: StateStore,
    state: StateFamilies,
    schema: StateStoreColFamilySchema
) extends DurableConstraints {
  import JoinStateSchema.ConstraintFamily

  state.open(schema, isInternal = true)

  private val key = UnsafeProjection.create(JoinStateSchema.ConstraintKey)
  private val value = UnsafeProjection.create(JoinStateSchema.ConstraintState)

  override def get(name: String): Option[Array[Long]] =
    Option(store.get(keyOf(name), ConstraintFamily)).map(_.getArray(0).toLongArray())

  override def put(name: String, numbers: Array[Long]): Unit =
    store.put(keyOf(name), value(InternalRow(ArrayData.toArrayData(numbers))), ConstraintFamily)

  override def remove(name: String): Unit = store.remove(keyOf(name), ConstraintFamily)

  override def clear(): Unit =
    state.all(store.iterator(ConstraintFamily))(pair => store.remove(pair.key, ConstraintFamily))

  private def keyOf(name: String) = key(InternalRow(UTF8String.fromString(name)))
}
