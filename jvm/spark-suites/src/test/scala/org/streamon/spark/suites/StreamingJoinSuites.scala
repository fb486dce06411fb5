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

  override protected def concerns(report: FilterReport): Boolean = report.operator.startsWith("MJoin")
}

class MJoinStreamingInnerJoinWithVCFSuite
    extends StreamingInnerJoinWithVCFSuite
    with EveryJoinAnMJoin
    with Proof

class MJoinStreamingInnerJoinWithoutVCFSuite
    extends StreamingInnerJoinWithoutVCFSuite
    with EveryJoinAnMJoin
    with Proof

class MJoinStreamingInnerJoinV4Suite extends StreamingInnerJoinV4Suite with EveryJoinAnMJoin with Proof
