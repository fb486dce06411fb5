package org.streamon.spark.joins

import org.apache.spark.sql.functions.{col, timestamp_seconds}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite

/** What watermarks let go of, row by row, and what comes too late. */
class EvictionSuite extends AnyFunSuite with SparkSuite with StreamingJoins {
  private lazy val session = spark
  import session.implicits._

  /** Rows (k, seconds), with a watermark 10 seconds late, except for those named unmarked. */
  private def streams(names: Seq[String], unmarked: Set[String] = Set.empty): Streams[(Int, Int)] =
    new Streams[(Int, Int)](session, names)((name, raw) => {
      val frame = raw.select(col("_1").as("k"), timestamp_seconds(col("_2")).as("t"))
      if (unmarked(name)) frame else frame.withWatermark("t", "10 seconds")
    })

  private val three = Seq("a", "b", "c")

  private def totals(runs: Runs): Seq[Long] = runs.progress.map(_.numRowsTotal)

  private def dropped(runs: Runs): Long = runs.progress.map(_.numRowsDroppedByWatermark).sum
  private def removed(runs: Runs): Long = runs.progress.map(_.numRowsRemoved).sum

  test("a watermark on the key lets go of every input's rows up to it, and drops what comes late") {
    val in = streams(three)
    running(
      spark.sql("SELECT /*+ MJOIN */ a.k, b.k, c.k, a.t FROM a JOIN b ON a.t = b.t JOIN c ON a.t = c.t")
    ) { runs =>
      in.add("a", 1 -> 5, 1 -> 20, 1 -> 40)
      in.add("b", 2 -> 5, 2 -> 20)
      in.add("c", 3 -> 5)
      runs.settle()
      assert(runs.rows.size == 1)
      assert(totals(runs).last == 6)
      // Watermarks: a 30, b 10, c -5; the least counts.
      in.add("c", 3 -> 30)
      in.add("b", 2 -> 40)
      runs.settle()
      // The watermark is 20 now.
      assert(totals(runs).last == 3)
      assert(removed(runs) == 5)
      in.add("c", 3 -> 20, 3 -> 21, 3 -> 40)
      runs.settle()
      assert(dropped(runs) == 1)
      assert(runs.rows.size == 2)
    }
  }

  test(
    "a watermark on one side of every equality bounds the key's rows, and no rows where it is not on all"
  ) {
    def kept(on: String, marked: String) = {
      val in = streams(three, unmarked = three.toSet - marked)
      val sql = s"SELECT /*+ MJOIN */ a.k ak, b.k bk, c.k ck FROM a JOIN b ON a.t = b.t JOIN c ON $on"
      var last = 0L
      running(spark.sql(sql)) { runs =>
        in.add("a", 1 -> 5)
        in.add("b", 2 -> 5)
        runs.settle()
        in.add(marked, 1 -> 1000)
        runs.settle()
        last = totals(runs).last
        // By a watermark at the other end Spark's second join lets go of nothing.
        if (marked == "a" && on == "b.t = c.t") {
          in.add("c", 3 -> 5)
          runs.settle()
          assert(runs.rows == Seq("[1,2,3]"))
        }
      }
      last
    }
    assert(kept("b.t = c.t", "a") == 3)
    assert(kept("b.t = c.t", "b") == 1)
    assert(kept("a.t = c.t", "a") == 1)
  }

  test("a window in the key goes at its end") {
    val in = streams(three)
    running(
      spark.sql("""SELECT /*+ MJOIN */ a.k, b.k, c.k FROM
          |(SELECT k, window(t, '10 seconds') w FROM a) a
          |JOIN (SELECT k, window(t, '10 seconds') w FROM b) b ON a.w = b.w AND a.k = b.k
          |JOIN (SELECT k, window(t, '10 seconds') w FROM c) c ON a.w = c.w AND a.k = c.k""".stripMargin)
    ) { runs =>
      for (n <- three) in.add(n, 1 -> 5, 1 -> 15)
      runs.settle()
      assert(runs.rows.size == 2)
      assert(totals(runs).last == 6)
      for (n <- three) in.add(n, 2 -> 25)
      runs.settle()
      // The watermark is 15: the first window has ended.
      assert(totals(runs).last == 6)
      assert(removed(runs) == 3)
    }
  }

  test("time ranges bound the state transitively: a <= b <= c bounds a by c") {
    val in = streams(three)
    running(
      spark.sql("""SELECT /*+ MJOIN */ a.t, b.t, c.t FROM a
          |JOIN b ON a.k = b.k AND b.t >= a.t AND b.t <= a.t + INTERVAL 10 SECONDS
          |JOIN c ON b.k = c.k AND c.t >= b.t AND c.t <= b.t + INTERVAL 10 SECONDS""".stripMargin)
    ) { runs =>
      for (n <- three) in.add(n, 1 -> 100, 1 -> 110)
      runs.settle()
      for (n <- three) in.add(n, 2 -> 131)
      runs.settle()
      // The watermark is 121, and that of Spark's second join 111, since b may be 10 later than a. A later c
      // meets no b up to 101, and so no a up to 91: of the first rows only both c and one b can go.
      assert(runs.rows.size == 4 + 1)
      assert(totals(runs).last == 3 + 2 + 1)
      // Late for the first join; not late for the second; late for that too.
      for ((name, second) <- Seq("b" -> 120, "c" -> 111, "c" -> 110)) in.add(name, 1 -> second)
      runs.settle()
      assert(dropped(runs) == 2)
      assert(runs.rows.size == 4 + 1 + 2)
    }
  }

  private def near(a: String, b: String) =
    s"$a.k = $b.k AND $b.t BETWEEN $a.t - INTERVAL 10 SECONDS AND $a.t + INTERVAL 10 SECONDS"

  test("a row goes as soon as an input that it needs has no row for it and brings none any more") {
    val in = streams(three)
    running(
      spark.sql(
        s"SELECT /*+ MJOIN */ a.k, a.t, b.t, c.t FROM a JOIN b ON ${near("a", "b")} JOIN c ON ${near("a", "c")}"
      )
    ) { runs =>
      // Of b, which meets c within 20 seconds, those on 1 have an a and those on 2 have none.
      in.add("a", 1 -> 105, 3 -> 105)
      in.add("b", 1 -> 100, 2 -> 100)
      in.add("c", 3 -> 100)
      runs.settle()
      assert(totals(runs).last == 5)
      // The watermark is 112: no more a comes for b up to 102.
      for (n <- three) in.add(n, 9 -> 122)
      runs.settle()
      assert(totals(runs).last == 3 + 4 && removed(runs) == 1)
      in.add("c", 1 -> 114)
      runs.settle()
      assert(runs.rows.contains("[1,1970-01-01 00:01:45.0,1970-01-01 00:01:40.0,1970-01-01 00:01:54.0]"))
      assert(dropped(runs) == 0)
    }
  }

  test("a restart with other ranges asks another input") {
    def sql(of: String) =
      s"SELECT /*+ MJOIN */ a.k, a.t, b.t, c.t FROM a JOIN b ON ${near("a", "b")} JOIN c ON ${near(of, "c")}"
    val in = streams(three)
    var of = "a"
    running(spark.sql(sql(of))) { runs =>
      in.add("b", 1 -> 105)
      in.add("c", 1 -> 100)
      runs.settle()
      of = "b"
      runs.restart()
      for (n <- three) in.add(n, 9 -> 122)
      runs.settle()
      // The watermark is 112: of b none comes for c any more, of a one may.
      in.add("a", 1 -> 113)
      runs.settle()
      assert(runs.rows.size == 1 + 1 && runs.operators.size == 1)
    }
  }

  test("rows are late in an MJoin where they are in Spark's joins of two") {
    val b = "a.k = b.k AND b.t >= a.t AND b.t <= a.t + INTERVAL 10 SECONDS"
    val c = "b.k = c.k AND c.t >= b.t AND c.t <= b.t + INTERVAL 10 SECONDS"
    val due = "(SELECT k, t, t + INTERVAL 5 SECONDS due FROM a) a"
    val twice = "(SELECT k, t, t + INTERVAL 0 SECONDS u FROM b) b"
    // The watermark is 121, that of an upper join 111 where a range of ten seconds is below it.
    for (
      (unmarked, selected, from, late, rows) <- Seq(
        ("", "b.t", s"a JOIN b ON $b JOIN c ON $c", 1L, 6 + 2 * 2),
        ("", "b.t", s"a JOIN (b JOIN c ON $c) ON $b", 3L, 6),
        // A range on what is no event time counts, too,
        (
          "",
          "a.t",
          s"$due JOIN b ON a.k = b.k AND b.t <= a.due + INTERVAL 10 SECONDS JOIN c ON a.k = c.k AND c.t >= a.t",
          1L,
          8 + 2 * 4
        ),
        // also of an input without one, if another on its side has one;
        (
          "a",
          "b.t, d.t dt",
          "a JOIN b ON a.k = b.k JOIN c ON a.k = c.k AND c.t <= a.t + INTERVAL 10 SECONDS JOIN d ON a.k = d.k",
          1L,
          2 + 8 * 4
        ),
        // but none where a key has an event time.
        (
          "",
          "c.t",
          s"a JOIN $twice ON a.k = b.k AND a.t = b.u AND b.t <= a.t + INTERVAL 10 SECONDS JOIN c ON a.k = c.k",
          3L,
          6
        ),
        // What counts are the keys that a join has itself,
        (
          "b",
          "a.t, d.t dt",
          s"""a JOIN $twice ON a.k = b.k AND a.t = b.u
              JOIN (SELECT k, t, t + INTERVAL 0 SECONDS u FROM c) c
                ON b.k = c.k AND b.u = c.u AND c.t <= b.t + INTERVAL 10 SECONDS
              JOIN d ON a.k = d.k""",
          1L,
          6 + 2 * 2
        ),
        // its ranges as they are written,
        (
          "b",
          "a.t, d.t dt",
          """(SELECT a.k, a.t, a.t - INTERVAL 10 SECONDS since FROM a JOIN b ON a.k = b.k) a
             JOIN c ON a.k = c.k AND c.t <= a.since + INTERVAL 10 SECONDS JOIN d ON a.k = d.k""",
          1L,
          14 + 2 * 6
        ),
        // and the event times that its sides still have.
        (
          "b",
          "d.t",
          """a JOIN b ON a.k = b.k AND b.t >= a.t
             JOIN c ON a.k = c.k AND c.t <= b.t + INTERVAL 10 SECONDS JOIN d ON a.k = d.k""",
          3L,
          14
        )
      );
      hint <- Seq("/*+ MJOIN */", "")
    ) {
      val names = if (from.contains("JOIN d ")) three :+ "d" else three
      val in = streams(names, unmarked = Set(unmarked))
      running(spark.sql(s"SELECT $hint a.k, $selected FROM $from")) { runs =>
        for (n <- names) in.add(n, 1 -> 100, 1 -> 110)
        runs.settle()
        // Twice, since not every plan has a micro-batch without data in between.
        for (k <- Seq(2, 3)) {
          for (n <- names) in.add(n, k -> 131)
          runs.settle()
        }
        for (second <- Seq(110, 111, 112)) in.add(names.last, 1 -> second)
        runs.settle()
        assert(runs.operators.size == (if (hint.isEmpty) 0 else 1))
        assert((dropped(runs), runs.rows.size) == ((late, rows)), s"$hint $from")
      }
    }
  }

  test("ranges on a time that is computed between the joins let go of no row too early") {
    def from(more: String) =
      s"""(SELECT a.k, a.t + INTERVAL $more due FROM a JOIN b ON a.k = b.k AND b.t <= a.t + INTERVAL 10 SECONDS) a
          JOIN c ON a.k = c.k AND c.t BETWEEN a.due + INTERVAL 1 SECOND AND a.due + INTERVAL 10 SECONDS"""
    for (hint <- Seq("/*+ MJOIN */", ""); more <- Seq("10 SECONDS", "'0:10' MINUTE TO SECOND")) {
      val in = streams(three)
      running(spark.sql(s"SELECT $hint a.k, a.due, c.t FROM ${from(more)}")) { runs =>
        in.add("a", 1 -> 100)
        in.add("b", 1 -> 105)
        runs.settle()
        for (k <- Seq(2, 3)) {
          for (n <- three) in.add(n, k -> 131)
          runs.settle()
        }
        in.add("c", 1 -> 118)
        runs.settle()
        assert(runs.operators.size == (if (hint.isEmpty) 0 else 1))
        assert(runs.rows.size == 1, hint)
      }
    }
  }

  test("to let go of few rows reads the same of the state whatever the others are") {
    def cost(others: Int, memory: String) =
      withConf("spark.streamon.executor.memory" -> memory, "spark.sql.shuffle.partitions" -> "1") {
        val in = streams(three)
        running(
          spark.sql("""SELECT /*+ MJOIN */ a.k, b.t, c.k ck FROM a
              |JOIN b ON a.k = b.k AND a.t = b.t JOIN c ON b.k = c.k AND b.t = c.t""".stripMargin)
        ) { runs =>
          for (n <- three) in.add(n, (1 to 20).map(_ -> 5) ++ (1 to others).map(_ -> 1000): _*)
          runs.settle()
          assert(runs.rows.size == 20 + others)
          val last = runs.progress.last
          assert((last.numRowsRemoved, last.numRowsTotal) == ((60, 3 * others)))
          Seq("rocksdbGetCount", "rocksdbPutCount", "rocksdbTotalBytesReadThroughIterator")
            .map(last.customMetrics.get(_))
        }
      }
    for (memory <- Seq("512m", "0")) {
      val few = cost(100, memory)
      assert(few.forall(_ != null) && cost(5000, memory) == few, s"with $memory of memory")
    }
  }

  test("a stream without a watermark, or a pair without a range, keeps the state") {
    val range = "JOIN b ON a.k = b.k AND b.t BETWEEN a.t AND a.t + INTERVAL 10 SECONDS"
    for (
      (unmarked, more) <- Seq(
        Set("c") -> "AND c.t BETWEEN a.t AND a.t + INTERVAL 10 SECONDS",
        Set.empty[String] -> ""
      )
    ) {
      val in = streams(three, unmarked)
      running(spark.sql(s"SELECT /*+ MJOIN */ a.t, b.t, c.t FROM a $range JOIN c ON a.k = c.k $more")) {
        runs =>
          for (n <- three) in.add(n, 1 -> 100)
          runs.settle()
          for (n <- three) in.add(n, 2 -> 1000)
          runs.settle()
          assert(totals(runs).last == 6)
      }
    }
  }

  test("an aggregation on top waits for what a range still lets through, though nothing bounds the state") {
    val sql = """SELECT window(a.t, '10 seconds').start, count(*) FROM a
        |JOIN b ON a.k = b.k AND a.t >= b.t - INTERVAL 60 SECONDS JOIN c ON a.k = c.k
        |GROUP BY window(a.t, '10 seconds')""".stripMargin
    val results =
      for (enabled <- Seq("true", "false")) yield withConf("spark.streamon.join.enabled" -> enabled) {
        val in = streams(three, unmarked = Set("c"))
        running(spark.sql(sql)) { runs =>
          for ((name, rows) <- Seq("a" -> Seq(1 -> 50), "c" -> Seq(1 -> 0, 2 -> 0))) in.add(name, rows: _*)
          runs.settle()
          for (second <- Seq(100, 101); name <- Seq("a", "b")) in.add(name, 2 -> second)
          runs.settle()
          // The watermark is 91: the row of 50 is late by itself, but not for this one.
          in.add("b", 1 -> 105)
          runs.settle()
          for (name <- Seq("a", "b")) in.add(name, 3 -> 300)
          runs.settle()
          assert(runs.operators.size == (if (enabled.toBoolean) 1 else 0))
          runs.rows
        }
      }
    assert(results.head == results.last)
    assert(results.head.exists(_.contains("00:00:50")), results.head)
  }

  test("an aggregation above a chain of ranges gives its windows when Spark's does") {
    val sql = """SELECT window(b.t, '10 seconds').start, count(*) FROM a
        |JOIN b ON a.k = b.k AND b.t >= a.t AND b.t <= a.t + INTERVAL 10 SECONDS
        |JOIN c ON b.k = c.k AND c.t >= b.t AND c.t <= b.t + INTERVAL 10 SECONDS
        |GROUP BY window(b.t, '10 seconds')""".stripMargin
    val results =
      for (enabled <- Seq("true", "false")) yield withConf("spark.streamon.join.enabled" -> enabled) {
        val in = streams(three)
        running(spark.sql(sql)) { runs =>
          for (n <- three) in.add(n, 1 -> 95, 1 -> 105)
          runs.settle()
          for (n <- three) in.add(n, 2 -> 131)
          runs.settle()
          assert(runs.operators.size == (if (enabled.toBoolean) 1 else 0))
          runs.rows
        }
      }
    // The watermark is 121, and 101 less a little for the aggregation.
    assert(results.head == results.last)
    assert(results.head.size == 1)
  }

  test("an aggregation by window on top gives the rows that it gives on Spark's own joins") {
    val sql = """SELECT window(a.t, '10 seconds').start, count(*), sum(b.k) FROM a
        |JOIN b ON a.k = b.k AND a.t = b.t JOIN c ON a.k = c.k AND a.t = c.t
        |GROUP BY window(a.t, '10 seconds')""".stripMargin
    val results =
      for (enabled <- Seq("true", "false")) yield withConf("spark.streamon.join.enabled" -> enabled) {
        val in = streams(three)
        running(spark.sql(sql)) { runs =>
          for (second <- Seq(5, 7, 18, 32, 33, 60); n <- three) in.add(n, 1 -> second, 2 -> second)
          runs.settle()
          for (n <- three) in.add(n, 3 -> 100)
          runs.settle()
          assert(runs.operators.size == (if (enabled.toBoolean) 1 else 0))
          runs.rows
        }
      }
    assert(results.head == results.last)
    assert(results.head.size >= 4)
  }
}
