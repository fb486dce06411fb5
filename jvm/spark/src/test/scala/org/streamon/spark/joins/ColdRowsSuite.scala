package org.streamon.spark.joins

import org.apache.spark.sql.functions.{col, timestamp_seconds}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite

/** Rows that constraints have moved to the state store: until their time is past, where memory has no room,
  * and over restarts in other modes.
  */
class ColdRowsSuite extends AnyFunSuite with SparkSuite with ConstrainedStreams {
  private lazy val session = spark
  import session.implicits._

  private val three = Seq("a", "b", "c")
  private val query =
    "SELECT /*+ MJOIN, UNIQUE(a, k), UNIQUE(b, k), UNIQUE(c, k) */ a.k, b.t, c.k ck " +
      "FROM a JOIN b ON a.k = b.k AND a.t = b.t JOIN c ON b.k = c.k AND b.t = c.t"
  private val (rowsEach, again) = (1000, 10)

  /** Rows (k, seconds), with a watermark 25 seconds late. */
  private def timed = new Streams[(Int, Int)](session, three)((_, raw) =>
    raw.select(col("_1").as("k"), timestamp_seconds(col("_2")).as("t")).withWatermark("t", "25 seconds")
  )

  /** Ten seconds of rows, which join in their own micro-batch; `again` of two micro-batches ago come again.
    */
  private def tenSeconds(in: Streams[(Int, Int)], runs: Runs, batch: Int): Unit =
    bring(runs) {
      for (name <- three) {
        val own = (0 until rowsEach).map(i => (batch * rowsEach + i, (batch + 1) * 10))
        val old = (0 until again).map(i => ((batch - 2) * rowsEach + i, (batch - 1) * 10))
        in.add(name, (if (batch < 2 || name != "b") own else own ++ old): _*)
      }
    }

  test("one whose time is past is met by nothing, also where the rows of another stream are never late") {
    withConf(mode("exact", window = 2) :+ ("spark.streamon.join.minInputs" -> "2"): _*) {
      val in = new Streams[(Int, Int)](session, Seq("a", "b"))((name, raw) => {
        val rows = raw.select(col("_1").as("k"), timestamp_seconds(col("_2")).as("t"))
        if (name == "b") rows.withWatermark("t", "25 seconds") else rows
      })
      val sql =
        "SELECT /*+ MJOIN, UNIQUE(a, k), UNIQUE(b, k) */ a.k, b.t FROM a JOIN b ON a.k = b.k AND a.t = b.t"
      running(spark.sql(sql)) { runs =>
        def both(a: Seq[(Int, Int)], b: Seq[(Int, Int)]) = bring(runs) {
          in.add("a", a: _*)
          in.add("b", b: _*)
        }
        def cold = now(runs, "mjoinColdRows")
        for (batch <- 1 to 4) both(Seq(batch -> 10), Seq(batch -> 10))
        assert(cold > 2)
        both(Seq(3 -> 10), Nil)
        assert(runs.rows.size == 5, "found again, as long as its time is not past")
        both(Seq(9 -> 100), Seq(9 -> 100))
        for (batch <- 1 to 2) {
          both(Seq(batch -> 10), Nil)
          if (batch == 1) runs.restart()
        }
        assert(runs.rows.size == 6 && cold > 2)
      }
    }
  }

  test("those whose time is past go together, and the others are found, over restarts as well") {
    inCheckpoint { checkpoint =>
      withConf(mode("exact"): _*) {
        val in = timed
        val runs = new Runs(spark.sql(query), checkpoint)
        runs.start()
        try {
          var walks = 0
          for (batch <- 0 until 16) {
            if (batch % 6 == 5) runs.restart()
            tenSeconds(in, runs, batch)
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

  test("cold rows of an input that memory has no room for are read with its others, and counted once") {
    inCheckpoint { checkpoint =>
      val in = streams
      var added = 0
      def run(memory: String, batches: Range) =
        withConf(mode("exact") :+ ("spark.streamon.executor.memory" -> memory): _*) {
          val runs = new Runs(spark.sql(onOneKey), checkpoint)
          runs.start()
          try {
            for (batch <- batches) {
              bring(runs)(packets(in, batch))
              added += 50 + (if (batch > 0) 20 else 0)
            }
            assert(last(runs).numRowsTotal == added)
            (now(runs, "mjoinColdRows"), runs.rows)
          } finally runs.stop()
        }
      val runs = Seq(run("512m", 0 until 20), run("4k", 20 until 24), run("4k", 24 until 26))
      assert(runs.map(_._1).head > 500 && runs.map(_._1).tail == Seq(0L, 0L))
      assert(runs.flatMap(_._2).sorted == in.asTables(stock(onOneKey)))
    }
  }

  test("cold rows that come back where memory has no room for them stay in the state store") {
    inCheckpoint { checkpoint =>
      val in = streams
      def run(conf: (String, String)*)(body: Runs => Unit) = withConf(conf: _*) {
        val runs = new Runs(spark.sql(onOneKey), checkpoint)
        runs.start()
        try body(runs)
        finally runs.stop()
        runs.rows
      }
      val rows = run(mode("exact"): _*) { runs =>
        (0 until 40).foreach(batch => bring(runs)(packets(in, batch)))
        assert(now(runs, "mjoinColdRows") > 2000)
      } ++ run(mode("observe") :+ ("spark.streamon.executor.memory" -> "100k"): _*) { runs =>
        bring(runs)(packets(in, 40))
        assert(now(runs, "mjoinColdRows") == 0 && now(runs, "mjoinMirrorBytes") < (100 << 10))
        val late = (0L until 1950).filter(_ % 5 != 0).map(id => Link(id * 7919 % 100003, 1, 99))
        for (name <- Seq("b", "c")) bring(runs)(in.add(name, late: _*))
      } ++ run(mode("exact"): _*)(runs => bring(runs)(packets(in, 41)))
      assert(rows.sorted == in.asTables(stock(onOneKey)))
    }
  }

  test(
    "another mode after a restart: what is cold is found, and comes back where nothing is evicted any more"
  ) {
    val modes = Seq("observe", "exact", "approximate", "exact", "off", "exact", "observe")
    inCheckpoint { checkpoint =>
      val in = streams
      var first = 0
      val rows = modes.flatMap { name =>
        withConf(mode(name): _*) {
          val runs = new Runs(spark.sql(onOneKey), checkpoint)
          runs.start()
          try {
            for (batch <- first until first + 6) {
              bring(runs)(packets(in, batch))
            }
            first += 6
            assert((now(runs, "mjoinColdRows") > 0) == Set("exact", "approximate")(name) || first == 6, name)
            runs.rows
          } finally runs.stop()
        }
      }
      assert(rows.sorted == in.asTables(stock(onOneKey)))
    }
  }
}
