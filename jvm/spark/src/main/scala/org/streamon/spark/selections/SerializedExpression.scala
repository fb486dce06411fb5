package org.streamon.spark.selections

import java.nio.ByteBuffer

import org.apache.spark.SparkEnv
import org.apache.spark.sql.catalyst.expressions.Expression

/** An expression of which each task has its own: some keep state while they are evaluated. */
private[spark] final class SerializedExpression private (bytes: Array[Byte]) extends Serializable {
  def newInstance(): Expression =
    SparkEnv.get.closureSerializer.newInstance().deserialize[Expression](ByteBuffer.wrap(bytes))
}

private[spark] object SerializedExpression {
  def apply(e: Expression): SerializedExpression = {
    val buffer = SparkEnv.get.closureSerializer.newInstance().serialize(e)
    val bytes = new Array[Byte](buffer.remaining)
    buffer.get(bytes)
    new SerializedExpression(bytes)
  }
}
