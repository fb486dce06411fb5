package org.streamon.spark.execution.state

import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.types._

/** The layout of windows of rows in the state store of an MJoin, in addition to [[JoinStateSchema]]. */
object WindowSchema {

  /** The rows of an input that wait for the watermark, by time. */
  def pending(input: Int): String = s"$$pending$input"

  /** By group, how many rows of an input came. */
  def counts(input: Int): String = s"$$counts$input"

  /** By group and number, the sequence numbers of the rows of an input that are in the window. */
  def sequences(input: Int): String = s"$$window$input"

  def group(window: InOrder.Window): StructType = StructType(window.groups.zipWithIndex.map {
    case (e, part) => StructField(s"group$part", e.dataType)
  })

  def numbered(window: InOrder.Window): StructType = group(window).add("number", LongType, nullable = false)

  def all(shape: JoinShape, order: InOrder): Seq[StateStoreColFamilySchema] =
    shape.inputs.indices.flatMap { i =>
      val rows = JoinStateSchema.row(shape.inputs(i))
      val windows = order.inputs(i).window.toSeq.flatMap { w =>
        Seq(
          family(counts(i), group(w), Count, NoPrefixKeyStateEncoderSpec(group(w))),
          family(sequences(i), numbered(w), Sequence, NoPrefixKeyStateEncoderSpec(numbered(w)))
        )
      }
      family(pending(i), JoinStateSchema.Key, rows, JoinStateSchema.KeyEncoding) +: windows
    }

  private val Count = new StructType().add("count", LongType, nullable = false)
  private val Sequence = new StructType().add("sequence", LongType, nullable = false)

  private def family(name: String, key: StructType, value: StructType, encoding: KeyStateEncoderSpec) =
    StateStoreColFamilySchema(name, 0, key, 0, value, Some(encoding))
}
