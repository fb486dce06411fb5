package org.streamon.spark.suites

import org.apache.spark.SparkConf
import org.apache.spark.sql.streaming.{
  StreamingInnerJoinV4Suite,
  StreamingInnerJoinWithVCFSuite,
  StreamingInnerJoinWithoutVCFSuite
}
import org.apache.spark.sql.test.SharedSparkSession
import org.streamon.spark.metrics.FilterReport

/** Runs a published suite of Spark with an MJoin in the place of every inner join of two streams. */
trait EveryJoinAnMJoin extends SharedSparkSession with EveryFilterAdaptive {
  override protected def sparkConf: SparkConf = super.sparkConf
    .set("spark.streamon.join.enabled", "true")
    .set("spark.streamon.join.minInputs", "2")
    .set("spark.streamon.join.profilingProbability", "1.0")
    .set(
      "spark.sql.streaming.stateStore.providerClass",
      "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    )

  override def skipped: Map[String, String] = Map(
    "streaming join should require StatefulOpClusteredDistribution from children" -> itsOwnOperator
  )

  /** Why a test fails where an MJoin has taken the place. */
  protected def itsOwnOperator: String = "looks for Spark's own operator in the plan, or for its name"
  protected def itsOwnState: String = "looks for the column families of Spark's own operator"

  override protected def concerns(report: FilterReport): Boolean = report.operator.startsWith("MJoin")
}

class MJoinStreamingInnerJoinWithVCFSuite
    extends StreamingInnerJoinWithVCFSuite
    with EveryJoinAnMJoin
    with Proof {
  override def skipped: Map[String, String] = super.skipped ++ Map(
    "SPARK-35896: metrics in StateOperatorProgress are output correctly" -> itsOwnOperator,
    "SPARK-51779 Verify StateSchemaV3 writes correct key and value schemas for join operator" -> itsOwnState
  )
}

class MJoinStreamingInnerJoinWithoutVCFSuite
    extends StreamingInnerJoinWithoutVCFSuite
    with EveryJoinAnMJoin
    with Proof {
  override def skipped: Map[String, String] = super.skipped +
    ("SPARK-35896: metrics in StateOperatorProgress are output correctly" -> itsOwnOperator)
}

class MJoinStreamingInnerJoinV4Suite extends StreamingInnerJoinV4Suite with EveryJoinAnMJoin with Proof {
  override def skipped: Map[String, String] = super.skipped ++ Map(
    "SPARK-55628: V4 state format is active in execution plan" -> itsOwnOperator,
    "SPARK-55628: verify V4 state schema writes correct key and value schemas for join operator" -> itsOwnState,
    "SPARK-56406: secondary index is not populated for join without event time" -> itsOwnState,
    "SPARK-56406: secondary index populated on both sides when watermark is on join key" -> itsOwnState,
    "SPARK-56406: secondary index only populated on watermarked side for time interval join" -> itsOwnState,
    "prevStateWatermark must be None in the first batch" -> itsOwnOperator,
    "SPARK-56402: prevStateWatermark must be None under legacy single-watermark propagator " +
      "(STATEFUL_OPERATOR_ALLOW_MULTIPLE = false)" -> itsOwnOperator
  )
}
