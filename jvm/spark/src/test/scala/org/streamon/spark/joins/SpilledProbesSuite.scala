package org.streamon.spark.joins

import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.sql.streamon.TaskListeners
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite

/** Probes of inputs that are read from the state store. */
class SpilledProbesSuite extends AnyFunSuite with SparkSuite with KeyedStreams {

  test("what a task holds does not grow with the probes that it makes") {
    val sql = "SELECT /*+ MJOIN */ a.v, b.v, c.v FROM a JOIN b ON a.k = b.k JOIN c ON a.k = c.k " +
      "WHERE watched(a.v, b.v, c.v)"
    spark.udf.register("watched", SpilledProbesSuite.watched)
    withConf("spark.streamon.executor.memory" -> "0", "spark.sql.shuffle.partitions" -> "1") {
      val in = streams(three: _*)
      running(spark.sql(sql)) { runs =>
        for (n <- Seq("b", "c")) in.add(n, (0 to 9).map(_ -> n): _*)
        runs.settle()
        in.add("a", (1 to 1000).map(n => n % 10 -> s"a$n"): _*)
        runs.settle()
        assert(runs.rows == in.asTables(stock(sql)) && runs.rows.size == 1000)
      }
    }
    assert((1 to 100).contains(SpilledProbesSuite.most.get), s"${SpilledProbesSuite.most} listeners")
  }

  test("a row that never leaves is written once, under its key") {
    val sql = "SELECT /*+ MJOIN */ a.v, b.v, c.v FROM a JOIN b ON a.k = b.k JOIN c ON a.k = c.k"
    withConf("spark.streamon.executor.memory" -> "0", "spark.sql.shuffle.partitions" -> "1") {
      val in = streams(three: _*)
      running(spark.sql(sql)) { runs =>
        for (batch <- 1 to 3) {
          for (n <- three) in.add(n, (1 to 100).map(i => batch * 100 + i -> n): _*)
          runs.settle()
        }
        assert(runs.rows == in.asTables(stock(sql)) && runs.rows.size == 300)
        val last = runs.progress.last
        assert(last.numRowsTotal == 900)
        val written = last.customMetrics.get("rocksdbPutCount").longValue
        assert((300L to 305L).contains(written), s"$written written, for 300 rows and a header")
      }
    }
  }
}

object SpilledProbesSuite {

  /** The most listeners that a task has had when it evaluated a result. */
  private val most = new AtomicInteger

  private val watched = (_: String, _: String, _: String) => {
    most.accumulateAndGet(TaskListeners.count, math.max)
    true
  }
}
