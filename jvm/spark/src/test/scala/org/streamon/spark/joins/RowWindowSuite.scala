package org.streamon.spark.joins

import org.apache.spark.sql.classic.Dataset
import org.apache.spark.sql.execution.FilterExec
import org.apache.spark.sql.functions.{col, timestamp_seconds}
import org.streamon.spark.SparkSuite
import org.streamon.spark.execution.joins.{HypercubeExchangeExec, MJoinExec}
import org.scalatest.funsuite.AnyFunSuite

/** `STREAM_WINDOW` with `ROWS`: what a window holds, what it is not touched by, and where it is refused. */
class RowWindowSuite extends AnyFunSuite with SparkSuite with StreamingJoins with HintErrors {
  private lazy val session = spark
  import session.implicits._

  private type Timed = (Option[Int], Int, Int)

  private val two = Seq("a", "b")
  private val join = "FROM a JOIN b ON a.k = b.k"

  /** Rows (k, seconds, number), with a watermark of no delay. */
  private def streams(names: Seq[String] = two): Streams[Timed] =
    new Streams[Timed](session, names)((_, raw) =>
      raw
        .select(col("_1").as("k"), timestamp_seconds(col("_2")).as("t"), col("_3").as("n"))
        .withWatermark("t", "0 seconds")
    )

  private def row(k: Int, second: Int, n: Int): Timed = (Some(k), second, n)

  /** The results when rows come at once, and then some that push the watermark past them. */
  private def results(sql: String, rows: (String, Timed)*): Seq[String] = {
    val names = rows.map(_._1).distinct
    val in = streams(names)
    running(spark.sql(sql)) { runs =>
      for ((name, its) <- rows.groupMap(_._1)(_._2)) in.add(name, its: _*)
      for (name <- names) in.add(name, (None, 100000, -1))
      runs.settle()
      runs.rows
    }
  }

  private def windowed(parameters: String, select: String = "a.n, b.n m", from: String = join) =
    s"SELECT /*+ STREAM_WINDOW($parameters) */ $select $from"

  private def frame(sql: String) = spark.sql(sql).asInstanceOf[Dataset[_]]

  private def plan(sql: String): MJoinExec = withConf(rocksdb) {
    execution(frame(sql)).sparkPlan.collectFirst { case j: MJoinExec => j }.get
  }

  private val abab = Seq(
    "a" -> row(1, 1, 11),
    "a" -> row(2, 2, 12),
    "a" -> row(1, 3, 13),
    "b" -> row(1, 4, 21),
    "a" -> row(1, 5, 14),
    "b" -> row(1, 6, 22),
    "b" -> row(2, 7, 23)
  )

  test("ROWS n are the last rows of the stream, PARTITION BY those of each group") {
    // A row of a meets all rows of b before it, and those of b meet what is in the window of a.
    assert(results(windowed("a, 'ROWS 2'"), abab: _*) == Seq("[13,21]", "[13,22]", "[14,21]", "[14,22]"))
    assert(results(windowed("a, 'rows 1'"), abab: _*) == Seq("[13,21]", "[14,21]", "[14,22]"))
    assert(
      results(windowed("a, 'PARTITION BY k ROWS 1'"), abab: _*) ==
        Seq("[12,23]", "[13,21]", "[14,21]", "[14,22]")
    )
    assert(results(windowed("a, 'PARTITION BY `k`, a.n ROWS 1'"), abab: _*).size == 7)
    val crossed = windowed("a, 'ROWS 1'", from = "FROM a CROSS JOIN b WHERE a.k = b.k")
    assert(results(crossed, abab: _*) == Seq("[13,21]", "[14,21]", "[14,22]"))
    assert(
      results(windowed("a, 'ROWS 2'), STREAM_WINDOW(b, 'ROWS 1'"), abab: _*) ==
        Seq("[13,21]", "[13,22]", "[14,21]", "[14,22]")
    )
  }

  test(
    "what fails a filter, has no key, or is not joined still counts in the window; what has no time does not"
  ) {
    val rows = abab.take(3) ++ Seq("a" -> (None, 4, 15), "b" -> row(1, 4, 21))
    assert(results(windowed("a, 'ROWS 2'"), rows: _*) == Seq("[13,21]"))
    assert(results(windowed("a, 'ROWS 1'"), rows: _*).isEmpty)
    val where = windowed("a, 'ROWS 2'") + " WHERE a.n <> 13"
    assert(results(where, abab.take(4): _*).isEmpty)
    val below = windowed("a, 'ROWS 2'", from = "FROM (SELECT * FROM a WHERE n <> 13) a JOIN b ON a.k = b.k")
    assert(results(below, abab.take(4): _*) == Seq("[11,21]"))
    streams()
    def filters(sql: String) = plan(sql).children.flatMap(_.collect { case f: FilterExec => f.condition.sql })
    assert(!filters(where).exists(_.contains("13")) && filters(below).exists(_.contains("13")))
  }

  test("a key that may raise on a row that a filter keeps from it is no key") {
    val sql = windowed("a, 'ROWS 2'", from = "FROM a JOIN b ON a.k = b.k AND 100 / a.n = b.n WHERE a.n <> 0")
    assert(results(sql, "a" -> row(1, 1, 0), "a" -> row(1, 2, 4), "b" -> row(1, 3, 25)) == Seq("[4,25]"))
  }

  test("which row of a time comes first does not depend on what is selected") {
    val rows = (1 to 9).map(n => "a" -> row(1, 1, n)) :+ "b" -> row(1, 2, 0)
    for (window <- Seq("ROWS 4", "PARTITION BY k ROWS 4")) {
      val numbers = results(windowed(s"a, '$window'", "a.n"), rows: _*)
      assert(numbers.size == 4)
      val kept = numbers.map(_.tail.init).mkString(", ")
      val counted = windowed(s"a, '$window'", "a.k") + s" WHERE b.n = 0"
      assert(results(counted, rows: _*) == Seq.fill(4)("[1]"))
      val same = windowed(s"a, '$window'", "b.k") + s" WHERE a.n IN ($kept)"
      assert(results(same, rows: _*).size == 4)
    }
  }

  test("rows wait until the watermark reaches them, and go out of the state when they leave the window") {
    val in = streams()
    withConf("spark.sql.shuffle.partitions" -> "1") {
      running(spark.sql(windowed("a, 'ROWS 2'"))) { runs =>
        in.add("a", (1 to 5).map(s => row(1, s, s)): _*)
        in.add("b", row(1, 9, 0))
        runs.settle()
        // The watermark is that of a, 5.
        assert(runs.rows.isEmpty && runs.progress.last.numRowsTotal == 2 + 1)
        in.add("a", row(1, 20, 6))
        runs.settle()
        assert(runs.rows == Seq("[4,0]", "[5,0]"))
        assert(runs.progress.last.numRowsTotal == 2 + 1 + 1)
      }
    }
  }

  test("rows are sent everywhere only where the window cannot be told otherwise, and counted once") {
    streams()
    def everywhere(sql: String) =
      plan(sql).children.collect { case e: HypercubeExchangeExec => e.everywhere }
    assert(everywhere(windowed("a, 'ROWS 2'")) == Seq(true, false))
    assert(everywhere(windowed("b, 'PARTITION BY n ROWS 2'")) == Seq(false, true))
    assert(everywhere(windowed("a, 'PARTITION BY n, k ROWS 2'")) == Seq(false, false))
    // Zeros of either sign are one group, and two texts.
    def byDouble(on: String) =
      windowed("a, 'PARTITION BY f ROWS 2'", from = s"FROM (SELECT *, double(k) f FROM a) a JOIN b ON $on")
    assert(everywhere(byDouble("a.f = double(b.k)")) == Seq(false, false))
    assert(everywhere(byDouble("string(a.f) = string(double(b.k))")) == Seq(true, false))
    val in = streams()
    withConf("spark.sql.shuffle.partitions" -> "3") {
      running(spark.sql(windowed("a, 'ROWS 4'"))) { runs =>
        in.add("a", (1 to 9).map(s => row(s, s, s)): _*)
        in.add("b", row(1, 20, 0))
        runs.settle()
        assert(runs.progress.last.numRowsTotal == 4 + 1)
        assert(runs.progress.last.customMetrics.get("mjoinReplicaRows") == 0)
        in.add("a", row(1, 3, 10), row(1, 30, 11))
        runs.settle()
        assert(runs.progress.map(_.numRowsDroppedByWatermark).sum == 1)
        // The row of 30 waits in all partitions.
        assert(runs.progress.last.numRowsTotal == 4 + 1 + 3)
        assert(runs.progress.last.customMetrics.get("mjoinReplicaRows") == 2)
      }
    }
  }

  test("the results of a block with windows are a stream to joins around it, and in itself") {
    val rows = abab ++ Seq("c" -> row(1, 50, 31))
    val inner = windowed("a, 'ROWS 1'", "a.k, a.n, b.n m, a.t")
    val around = s"SELECT x.n, x.m, c.n o FROM ($inner) x JOIN c ON x.k = c.k"
    val expected = Seq("[13,21,31]", "[14,21,31]", "[14,22,31]")
    assert(results(around, rows: _*) == expected)
    for (conf <- Seq("spark.streamon.join.enabled" -> "true", "spark.streamon.join.minInputs" -> "2"))
      withConf(conf)(assert(results(around, rows: _*) == expected))
    val twice = s"WITH x AS ($inner) SELECT x.n, y.m FROM x JOIN x y ON x.n = y.n AND x.m = y.m"
    assert(results(twice, abab: _*) == Seq("[13,21]", "[14,21]", "[14,22]"))
  }

  test("a window of event time beside one of rows, the hint MJOIN, a frame, and a table joined last") {
    val hints = "MJOIN(a, b), STREAM_WINDOW(b, 'RANGE 2 SECONDS'), STREAM_WINDOW(a, 'ROWS 2')"
    assert(
      results(s"SELECT /*+ $hints */ a.n, b.n m $join", abab: _*) == Seq(
        "[13,21]",
        "[13,22]",
        "[14,21]",
        "[14,22]"
      )
    )
    val both = "STREAM_WINDOW(a, 'ROWS 2'), STREAM_WINDOW(a, 'RANGE 2 SECONDS')"
    assert(results(s"SELECT /*+ $both */ a.n, b.n m $join", abab: _*) == Seq("[13,21]", "[14,21]", "[14,22]"))
    val in = streams()
    spark.range(2).selectExpr("CAST(id AS INT) k", "id o").createOrReplaceTempView("s")
    val frame = spark.table("a").join(spark.table("b"), "k").join(spark.table("s"), "k")
    running(frame.hint("stream_window", "a", "ROWS 1").select("a.n", "b.n", "o")) { runs =>
      for ((name, its) <- abab.groupMap(_._1)(_._2)) in.add(name, its: _*)
      for (name <- two) in.add(name, (None, 1000, -1))
      runs.settle()
      assert(runs.rows == Seq("[13,21,1]", "[14,21,1]", "[14,22,1]"))
    }
  }

  test("EXPLAIN shows the windows") {
    streams()
    val shown = plan(windowed("a, 'PARTITION BY n ROWS 2'")).simpleString(1000)
    assert(shown.contains("PARTITION BY") && shown.contains("ROWS 2"), shown)
    assert(
      plan(windowed("a, 'ROWS 2'")).verboseStringWithOperatorId().contains("Window 0 : ROWS 2")
    )
    val said = withConf(rocksdb)(explained(frame(windowed("a, 'ROWS 2'"))))
    assert(said.contains("ROWS 2"), said)
  }

  test("Spark's source reads the rows in the window; another window, or none, needs another checkpoint") {
    val in = streams()
    val sql = windowed("a, 'ROWS 2'")
    inCheckpoint { checkpoint =>
      for ((name, its) <- abab.groupMap(_._1)(_._2)) in.add(name, its: _*)
      for (name <- two) in.add(name, (None, 1000, -1))
      assert(runOver(sql, checkpoint).rows.size == 4)
      val state = spark.read
        .format("statestore")
        .option("path", checkpoint.toString)
        .option("stateVarName", "input0")
        .load()
      // The last row of a counts in its window, and is not kept, since it has no key.
      assert(rows(state.select("value.n")) == Seq("[14]"))
      for (n <- two) in.add(n, row(1, 2000, 5))
      for (
        (other, words) <- Seq(
          windowed("a, 'ROWS 3'") -> Seq("STREAMON_CHECKPOINT_OTHER_JOIN", "windows", "ROWS 2", "ROWS 3"),
          windowed("b, 'ROWS 2'") -> Seq("STREAMON_CHECKPOINT_OTHER_JOIN", "windows"),
          s"SELECT /*+ MJOIN */ a.n, b.n m $join" -> Seq("STREAMON_CHECKPOINT_OTHER_JOIN"),
          s"SELECT a.n, b.n m $join" -> Seq("STREAMON_CHECKPOINT_SWITCHED")
        )
      ) {
        val said = failure(runOver(other, checkpoint))
        words.foreach(w => assert(said.contains(w), said))
      }
      // Nothing has been spoilt: the window is that of the rows of 1000, which has no key, and of 2000.
      assert(runOver(sql, checkpoint).rows == Seq("[5,21]", "[5,22]", "[5,5]"))
    }
  }

  test("an invalid window of rows, or one that no join can have, is an error at analysis") {
    streams(Seq("a", "b", "c"))
    spark.readStream.format("rate").load().selectExpr("value k", "timestamp t").createOrReplaceTempView("u")
    spark.range(3).selectExpr("cast(id AS INT) k", "timestamp_seconds(id) t").createOrReplaceTempView("s")
    val example = "STREAM_WINDOW(c, 'PARTITION BY cid ROWS 4')"
    for (text <- Seq("ROWS 0", "ROWS -3", "ROWS soon", "ROWS 1.5", "ROWS 3000000000"))
      wrong(windowed(s"a, '$text'"), "STREAMON_HINT_BAD_WINDOW", text, "a number from 1", example)
    for (text <- Seq("PARTITION BY k + 1 ROWS 2", "PARTITION BY k, ROWS 2", "PARTITION BY DISTINCT k ROWS 2"))
      wrong(windowed(s"a, '$text'"), "STREAMON_HINT_BAD_WINDOW", text, "names of columns", example)
    wrong(
      windowed("a, 'PARTITION BY k, m ROWS 2'"),
      "STREAMON_HINT_UNKNOWN_COLUMN",
      "`m`",
      "`a`",
      "Allowed: `k`, `t`, `n`"
    )
    wrong(windowed("a, 'PARTITION BY b.n ROWS 2'"), "STREAMON_HINT_UNKNOWN_COLUMN", "`b.n`")
    wrong(windowed("d, 'ROWS 2'"), "STREAMON_HINT_UNKNOWN_INPUT", "`d`", "`a`, `b`")
    wrong(windowed("a, 'ROWS 2'", from = "FROM a"), "STREAMON_HINT_NO_JOIN")
    wrong(windowed("a, 'ROWS 2'), STREAM_WINDOW(a, 'ROWS 3'"), "STREAMON_HINT_ROWS_NOT_JOINED", "already")
    for (n <- Seq("a", "u"))
      wrong(
        windowed(s"$n, 'ROWS 2'", "*", "FROM a JOIN u ON a.k = u.k"),
        "STREAMON_HINT_NO_ORDER",
        "'ROWS 2'",
        "`u` has no timestamp column",
        "have one: `a`",
        "withWatermark"
      )
    wrong(
      windowed("s, 'ROWS 2'", "*", s"$join JOIN s ON a.k = s.k"),
      "STREAMON_HINT_ROWS_NOT_JOINED",
      "`s` is not a stream"
    )
    wrong(windowed("a, 'ROWS 2'", "*", "FROM a JOIN s ON a.k = s.k"), "STREAMON_HINT_TOO_FEW_STREAMS", "`a`")
    for (kind <- Seq("LEFT OUTER", "LEFT SEMI", "FULL OUTER"))
      wrong(
        windowed("a, 'ROWS 2'", "a.n", s"FROM a $kind JOIN b ON a.k = b.k"),
        "STREAMON_HINT_ROWS_NOT_JOINED",
        kind
      )
    wrong(
      windowed(
        "a, 'ROWS 2'",
        "*",
        "FROM a JOIN (SELECT a.k, a.t, b.t bt FROM a JOIN b ON a.k = b.k) x ON a.k = x.k"
      ),
      "STREAMON_HINT_SEVERAL_EVENT_TIMES",
      "`x`",
      "`t`, `bt`"
    )
  }

  test("a block that makes no MJoin when it is planned fails, rather than give other rows") {
    def refused(sql: String, words: String*): Unit = inCheckpoint { checkpoint =>
      val said = failure(runOver(sql, checkpoint))
      (words :+ "STREAMON_HINT_ROWS_NOT_JOINED").foreach(w => assert(said.contains(w), said))
    }
    val in = streams(Seq("a", "b", "c"))
    spark.range(3).selectExpr("cast(id AS INT) k", "id o").createOrReplaceTempView("s")
    for (n <- Seq("a", "b", "c")) in.add(n, row(1, 1, 1))
    refused(windowed("a, 'ROWS 2'", from = "FROM a JOIN b ON a.k < 3"), "No join key", "'ROWS 2' on `a`")
    refused(windowed("b, 'ROWS 2'", from = "FROM a JOIN s ON a.k = s.k JOIN b ON a.k = b.k"), "A table")
    refused(
      windowed("c, 'ROWS 2'", from = s"$join JOIN s ON a.k = s.k AND b.n = s.o JOIN c ON a.k = c.k"),
      "all 3 streams of the block in one MJoin, but only 2"
    )
    withConf("spark.streamon.enabled" -> "false")(
      refused(windowed("a, 'ROWS 2'"), "spark.streamon.enabled is")
    )
    val hdfs = "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider"
    inFolder { folder =>
      withConf("spark.sql.streaming.stateStore.providerClass" -> hdfs) {
        val said = failure(runOver(windowed("a, 'ROWS 2'"), folder.resolve("checkpoint")))
        assert(said.contains("STREAMON_HINT_ROWS_NOT_JOINED") && said.contains("RocksDB"), said)
      }
    }
  }
}
