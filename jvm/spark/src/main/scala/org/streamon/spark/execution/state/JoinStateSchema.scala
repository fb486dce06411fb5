package org.streamon.spark.execution.state

import scala.collection.immutable.SortedMap

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.types._

/** The layout of an MJoin's state store: a column family for each input, `input0`, `input1` and so on, with
  * its rows under (sequence, time), sorted by time; and one with the header. Windows of rows have theirs,
  * [[WindowSchema]].
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

  def isInternal(family: String): Boolean = family.startsWith("$")

  /** Spark keeps names that begin with this sign for what is no user's data. */
  val HeaderFamily = "$header"
  val HeaderKey: StructType = new StructType().add("id", IntegerType, nullable = false)

  /** The id of the header says what a build must know that reads the state: that cold rows lie under their
    * keys alone, and whether sequence numbers are turned round, as [[StateFamilies]] has it.
    */
  def headerId(turned: Boolean): Int = if (turned) 2 else 3

  /** That of states of earlier builds, which had cold rows by name as well. */
  def formerHeaderId(turned: Boolean): Int = if (turned) 1 else 0
  val HeaderEncoding: KeyStateEncoderSpec = NoPrefixKeyStateEncoderSpec(HeaderKey)
  val Header: StructType = new StructType()
    .add("stamp", LongType, nullable = false)
    .add("partition", IntegerType, nullable = false)
    .add("partitions", IntegerType, nullable = false)
    .add("sequence", LongType, nullable = false)
    .add("rows", ArrayType(LongType, containsNull = false), nullable = false)
    .add("spilled", ArrayType(BooleanType, containsNull = false), nullable = false)

  /** The rows of a spilled input, and those that constraints have made cold, by their key in a dimension. */
  def keyedFamily(input: Int, dimension: Int): String = s"$$keyed${input}_$dimension"

  /** The join key, then what tells apart its rows. */
  def keyedBy(key: Seq[Expression]): StructType =
    StructType(key.zipWithIndex.map { case (e, part) => StructField(s"key$part", e.dataType) })
      .add("time", LongType, nullable = false)
      .add("sequence", LongType, nullable = false)

  /** The names of the rows of an input that constraints call dead and that are retained: the sequence number
    * of the partition when they died.
    */
  def markFamily(input: Int): String = s"$$dead$input"
  val Mark: StructType = new StructType().add("died", LongType, nullable = false)

  /** What is known of constraints, by name. */
  val ConstraintFamily = "$constraints"
  val ConstraintKey: StructType = new StructType().add("name", StringType, nullable = false)
  val ConstraintState: StructType =
    new StructType().add("state", ArrayType(LongType, containsNull = false), nullable = false)

  /** By name, in one order for all tasks: Spark numbers column families as they are created. */
  def all(shape: JoinShape): SortedMap[String, StateStoreColFamilySchema] = {
    val rows = shape.inputs.indices.flatMap { i =>
      val value = row(shape.inputs(i))
      val keyed = for ((d, key) <- shape.keys.indices.map(d => d -> shape.keys(d)(i)) if key.nonEmpty) yield {
        val byKey = PrefixKeyScanStateEncoderSpec(keyedBy(key), key.size)
        StateStoreColFamilySchema(keyedFamily(i, d), 0, keyedBy(key), 0, value, Some(byKey))
      }
      val marks = StateStoreColFamilySchema(markFamily(i), 0, Key, 0, Mark, Some(KeyEncoding))
      StateStoreColFamilySchema(family(i), 0, Key, 0, value, Some(KeyEncoding)) +: marks +: keyed
    }
    val constraints = StateStoreColFamilySchema(
      ConstraintFamily,
      0,
      ConstraintKey,
      0,
      ConstraintState,
      Some(NoPrefixKeyStateEncoderSpec(ConstraintKey))
    )
    val header = StateStoreColFamilySchema(HeaderFamily, 0, HeaderKey, 0, Header, Some(HeaderEncoding))
    val windows = shape.order.toSeq.flatMap(WindowSchema.all(shape, _))
    SortedMap.from((rows ++ windows :+ header :+ constraints).map(s => s.colFamilyName -> s))
  }
}
