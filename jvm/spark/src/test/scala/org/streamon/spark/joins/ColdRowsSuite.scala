package org.streamon.spark.joins

import org.apache.spark.sql.functions.{col, timestamp_seconds}
import org.apache.spark.sql.streamon.BetweenBatches
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite

/** Rows that constraints have moved to the state store, as their time goes by. */
class ColdRowsSuite extends AnyFunSuite with SparkSuite with StreamingJoins {
  private lazy val session = spark
  import session.implicits._

  private val three = Seq("a", "b", "c")
  private val query =
    "SELECT /*+ MJOIN, UNIQUE(a, k), UNIQUE(b, k), UNIQUE(c, k) */ a.k, b.t, c.k ck " +
      "FROM a JOIN b ON a.k = b.k AND a.t = b.t JOIN c ON b.k = c.k AND b.t = c.t"
  private val (rowsEach, again) = (1000, 10)

  /** Rows (k, seconds), with a watermark 25 seconds late. */
  private def streams = new Streams[(Int, Int)](session, three)((_, raw) =>
    raw.select(col("_1").as("k"), timestamp_seconds(col("_2")).as("t")).withWatermark("t", "25 seconds")
  )

  /** Ten seconds of rows, which join in their own micro-batch; `again` of two micro-batches ago come again.
    */
  private def bring(in: Streams[(Int, Int)], runs: Runs, batch: Int): Unit = {
    BetweenBatches(runs.query) {
      for (name <- three) {
        val own = (0 until rowsEach).map(i => (batch * rowsEach + i, (batch + 1) * 10))
        val old = (0 until again).map(i => ((batch - 2) * rowsEach + i, (batch - 1) * 10))
        in.add(name, (if (batch < 2 || name != "b") own else own ++ old): _*)
      }
    }
    runs.settle()
  }

  test("one whose time is past is met by nothing, also where the rows of another stream are never late") {
    withConf(
      "spark.sql.shuffle.partitions" -> "1",
      "spark.streamon.join.minInputs" -> "2",
      "spark.streamon.join.constraints" -> "exact",
      "spark.streamon.join.constraints.window" -> "2"
    ) {
      val in = new Streams[(Int, Int)](session, Seq("a", "b"))((name, raw) => {
        val rows = raw.select(col("_1").as("k"), timestamp_seconds(col("_2")).as("t"))
        if (name == "b") rows.withWatermark("t", "25 seconds") else rows
      })
      val sql =
        "SELECT /*+ MJOIN, UNIQUE(a, k), UNIQUE(b, k) */ a.k, b.t FROM a JOIN b ON a.k = b.k AND a.t = b.t"
      running(spark.sql(sql)) { runs =>
        def bring(rows: Seq[(Int, Int)]*) = {
          BetweenBatches(runs.query)(Seq("a", "b").zip(rows).foreach { case (name, own) =>
            in.add(name, own: _*)
          })
          runs.settle()
        }
        def cold = runs.progress.last.customMetrics.get("mjoinColdRows").longValue
        for (batch <- 1 to 4) bring(Seq(batch -> 10), Seq(batch -> 10))
        assert(cold > 2)
        bring(Seq(3 -> 10), Nil)
        assert(runs.rows.size == 5, "found again, as long as its time is not past")
        bring(Seq(9 -> 100), Seq(9 -> 100))
        for (batch <- 1 to 2) {
          bring(Seq(batch -> 10), Nil)
          if (batch == 1) runs.restart()
        }
        assert(runs.rows.size == 6 && cold > 2)
      }
    }
  }

  test("those whose time is past go together, and the others are found, over restarts as well") {
    inCheckpoint { checkpoint =>
      withConf(
        "spark.sql.shuffle.partitions" -> "1",
        "spark.streamon.join.constraints" -> "exact",
        "spark.streamon.join.constraints.window" -> "20"
      ) {
        val in = streams
        val runs = new Runs(spark.sql(query), checkpoint)
        runs.start()
        try {
          var walks = 0
          for (batch <- 0 until 16) {
            if (batch % 6 == 5) runs.restart()
            bring(in, runs, batch)
            val cold = runs.progress.map(_.customMetrics.get("mjoinColdRows").longValue)
            walks += (if (cold.size > 1 && cold.last < cold(cold.size - 2)) 1 else 0)
            // Of each input the rows of four micro-batches are live, and as many are past at most, in the end
            // with those of one more.
            assert(cold.last <= three.size * 9 * (rowsEach + again), s"in $batch")
          }
          assert(walks > 1)
          val expected = in.asTables(stock(query))
          assert(expected.size == 16 * rowsEach + 14 * again)
          val (missing, surplus) = (expected.diff(runs.rows), runs.rows.diff(expected))
          assert(missing.isEmpty && surplus.isEmpty, s"${missing.size} missing, ${surplus.size} too many")
        } finally runs.stop()
      }
    }
  }
}
