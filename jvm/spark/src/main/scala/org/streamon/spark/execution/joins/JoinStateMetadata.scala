package org.streamon.spark.execution.joins

import scala.util.Try

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.execution.streaming.operators.stateful.transformwithstate.{
  StateVariableType,
  TransformWithStateVariableInfo
}
import org.apache.spark.sql.execution.streaming.state._
import org.json4s.{JArray, JNothing, JObject, JString}
import org.json4s.JsonDSL._
import org.json4s.jackson.JsonMethods.{compact, parse, render}
import org.streamon.spark.errors.CheckpointError
import org.streamon.spark.execution.state.{JoinShape, JoinStateSchema}

/** The metadata of an MJoin in the checkpoint, for Spark's state reader and for the next start of the query.
  */
object JoinStateMetadata {

  /** The version of Spark's schema files that knows column families. */
  val SchemaVersion = 3

  val Name = "mjoin"

  def apply(join: MJoinExec, schemaPaths: List[List[String]]): OperatorStateMetadata = {
    val info = join.getStateInfo
    val stores = join.stateStoreNames.zip(schemaPaths).map { case (name, paths) =>
      StateStoreMetadataV2(name, 0, info.numPartitions, paths)
    }
    OperatorStateMetadataV2(
      OperatorInfoV1(info.operatorId, join.shortName),
      stores.toArray,
      compact(render(forReader(join) ~ (Name -> description(join))))
    )
  }

  /** As a `transformWithState` with a variable for each input, which is what Spark's reader can open. */
  private def forReader(join: MJoinExec): JObject = {
    val variables = join.children.indices.map { i =>
      TransformWithStateVariableInfo(
        JoinStateSchema.family(i),
        StateVariableType.ValueState,
        ttlEnabled = false
      )
    }
    ("timeMode" -> "None") ~ ("outputMode" -> "Append") ~ ("stateVariables" -> variables
      .map(_.jsonValue)
      .toList)
  }

  /** What the rows in the state depend on. */
  private def description(join: MJoinExec): JObject =
    ("keys" -> join.spec.keys.map(_.map(_.map(JoinShape.inColumns).toList).toList).toList) ~
      ("nullSafe" -> join.spec.nullSafe.map(_.toList).toList) ~
      ("placing" -> join.spec.placing) ~
      ("shares" -> join.hypercube.toList.flatMap(_.shares)) ~
      ("times" -> join.shape.bounds.times.map(_.fold("none")(_.toString)).toList) ~
      // Left out where there are none, as it always was.
      ("windows" -> Option.when(join.spec.orders.nonEmpty)(
        join.spec.orders.map(_.window.fold("none")(JoinShape.inColumns)).toList
      ))

  /** Whether the metadata of an operator are those of an MJoin. */
  def describes(metadata: OperatorStateMetadata): Boolean = metadata match {
    case v2: OperatorStateMetadataV2 =>
      Try(parse(v2.operatorPropertiesJson) \ Name).toOption.exists(_.isInstanceOf[JObject])
    case _ => false
  }

  /** Checks, before anything is written, that the rows in the checkpoint belong to this join.
    *
    * @throws CheckpointError
    *   when the join has changed
    */
  def check(join: MJoinExec, hadoopConf: Configuration, batchId: Long): Unit = if (batchId > 0) {
    val path = new Path(join.getStateInfo.checkpointLocation, join.getStateInfo.operatorId.toString)
    OperatorStateMetadataReader.createReader(path, hadoopConf, 2, batchId - 1).read() match {
      case Some(known: OperatorStateMetadataV2) =>
        val (was, is) = (parse(known.operatorPropertiesJson) \ Name, description(join))
        for (
          part <- Seq("keys", "nullSafe", "placing", "shares", "times", "windows") if was \ part != is \ part
        )
          throw CheckpointError.changed(path.toString, part, text(was \ part), text(is \ part))
      case _ => ()
    }
  }

  private def text(value: org.json4s.JValue): String = value match {
    case JArray(items) => items.map(text).mkString("(", ", ", ")")
    case JString(s)    => s
    case JNothing      => "none"
    case other         => compact(render(other))
  }
}
