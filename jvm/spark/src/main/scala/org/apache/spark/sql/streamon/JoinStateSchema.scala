package org.apache.spark.sql.streamon

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.types._

/** The layout of an MJoin's state store: a column family for each input, `input0`, `input1` and so on, with
  * its rows under (sequence, time), sorted by time; and one with a single row, the header.
  */
object JoinStateSchema {

  /** Spark's encoding puts the last field first, so that rows lie in the order of their time. */
  val Key: StructType =
    TimestampKeyStateEncoder.keySchemaWithTimestamp(
      new StructType().add("sequence", LongType, nullable = false)
    )

  val KeyEncoding: KeyStateEncoderSpec = TimestampAsPrefixKeyStateEncoderSpec(Key)

  def family(input: Int): String = s"input$input"

  def row(columns: Seq[Attribute]): StructType =
    StructType(columns.map(a => StructField(a.name, a.dataType, a.nullable)))

  /** Spark keeps names that begin with this sign for what is no user's data. */
  val HeaderFamily = "$header"
  val HeaderKey: StructType = new StructType().add("id", IntegerType, nullable = false)
  val HeaderEncoding: KeyStateEncoderSpec = NoPrefixKeyStateEncoderSpec(HeaderKey)
  val Header: StructType = new StructType()
    .add("stamp", LongType, nullable = false)
    .add("partition", IntegerType, nullable = false)
    .add("partitions", IntegerType, nullable = false)
    .add("sequence", LongType, nullable = false)
    .add("rows", ArrayType(LongType, containsNull = false), nullable = false)

  def all(inputs: IndexedSeq[Seq[Attribute]]): Map[String, StateStoreColFamilySchema] = {
    val rows = inputs.indices.map { i =>
      StateStoreColFamilySchema(family(i), 0, Key, 0, row(inputs(i)), Some(KeyEncoding))
    }
    val header = StateStoreColFamilySchema(HeaderFamily, 0, HeaderKey, 0, Header, Some(HeaderEncoding))
    (rows :+ header).map(s => s.colFamilyName -> s).toMap
  }
}
