package org.streamon.spark.joins

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.functions.{col, timestamp_seconds}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite

/** Whether this version of Spark still gives to an operator of ours what it gives to its own: see
  * `TakesOverStateInfo`.
  */
class StateInfoSuite extends AnyFunSuite with SparkSuite with StreamingJoins {
  private lazy val session = spark
  import session.implicits._

  test("operator ids, versions, partitions and both watermarks are those that Spark hands out") {
    val names = Seq("a", "b", "c")
    val in = new Streams[(Int, Int)](session, names)((_, raw) =>
      raw.select(col("_1").as("k"), timestamp_seconds(col("_2")).as("t")).withWatermark("t", "0 seconds")
    )
    val join =
      "SELECT /*+ MJOIN */ a.k, a.t FROM a JOIN b ON a.k = b.k AND a.t = b.t JOIN c ON a.k = c.k AND a.t = c.t"
    running(spark.sql(s"SELECT DISTINCT k, t FROM ($join)")) { runs =>
      for (second <- Seq(10, 20)) {
        for (n <- names) in.add(n, 1 -> second)
        runs.settle()
      }
      val found = runs.operators
      assert(found.size == 1, s"Spark $SPARK_VERSION does not plan the operator")
      val join = found.head
      assert(join.stateInfo.isDefined, s"Spark $SPARK_VERSION gives it no state info")
      val info = join.getStateInfo
      assert(info.operatorId == 1, "ids go from the top down, and an aggregation is above")
      assert(info.numPartitions == 2)
      assert(info.storeVersion == runs.query.lastProgress.batchId)
      assert(
        join.eventTimeWatermarkForEviction.contains(20000L),
        s"Spark $SPARK_VERSION gives it no watermark"
      )
      assert(join.eventTimeWatermarkForLateEvents.exists(_ <= 20000L))
    }
  }
}
