package org.streamon.spark.suites

import org.apache.spark.SparkConf
import org.apache.spark.sql.streaming.{MultiStatefulOperatorsSuite, StreamingInnerJoinWithoutVCFSuite}
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

  /** Why a test fails where an MJoin has taken the place. */
  protected def itsOwnOperator: String = "looks for Spark's own operator in the plan, or for its name"

  override protected def concerns(report: FilterReport): Boolean = report.operator.startsWith("MJoin")
}

class MJoinStreamingInnerJoinWithoutVCFSuite
    extends StreamingInnerJoinWithoutVCFSuite
    with EveryJoinAnMJoin
    with Proof {
  override def skipped: Map[String, String] = Map(
    "streaming join should require StatefulOpClusteredDistribution from children" -> itsOwnOperator,
    "SPARK-35896: metrics in StateOperatorProgress are output correctly" -> itsOwnOperator,
    "stream stream inner join without equality predicate" ->
      "expects Spark to refuse a join that an MJoin takes"
  )
}

/** Chains of stateful operators, with aggregations and deduplications beside and above the joins. */
class MJoinMultiStatefulOperatorsSuite extends MultiStatefulOperatorsSuite with EveryJoinAnMJoin with Proof {
  override def skipped: Map[String, String] = Map(
    "stream-stream time interval join - output watermark for various intervals" -> itsOwnOperator
  )
}
