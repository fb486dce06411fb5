package org.streamon.spark.selections

import java.nio.ByteBuffer

import org.apache.spark.SparkEnv
import org.apache.spark.sql.catalyst.expressions.Expression

/** Conditions of which each task has its own: some expressions keep state while they are evaluated. They are
  * serialized in groups. The classes of expressions are written once in a group, which takes a fraction of
  * the time and the bytes.
  *
  * @param size
  *   number of conditions
  */
private[spark] final class SerializedConditions private (val size: Int, bytes: Array[Array[Byte]])
    extends Serializable {
  def nonEmpty: Boolean = size > 0

  def groups: Int = bytes.length

  /** New instances of the conditions of a group: those from `GroupSize * number` on. */
  def group(number: Int): IndexedSeq[Expression] = {
    val serializer = SparkEnv.get.closureSerializer.newInstance()
    serializer.deserialize[Array[Expression]](ByteBuffer.wrap(bytes(number))).toIndexedSeq
  }
}

private[spark] object SerializedConditions {

  /** Conditions in a group, but in the last one. */
  val GroupSize = 16

  def apply(conditions: Seq[Expression]): SerializedConditions = {
    val serializer = SparkEnv.get.closureSerializer.newInstance()
    val groups = conditions.grouped(GroupSize).map { group =>
      val buffer = serializer.serialize(group.toArray)
      val bytes = new Array[Byte](buffer.remaining)
      buffer.get(bytes)
      bytes
    }
    new SerializedConditions(conditions.size, groups.toArray)
  }
}
