package org.streamon.spark.joins

import scala.util.Random

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.{col, timestamp_seconds}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite

/** `STREAM_WINDOW`: windows of event time, by hint. For those of rows see [[RowWindowSuite]]. */
class StreamWindowSuite extends AnyFunSuite with SparkSuite with StreamingJoins with HintErrors {
  private lazy val session = spark
  import session.implicits._

  private type Timed = (Int, Int, Int)

  private val three = Seq("a", "b", "c")
  private val joins = "FROM a JOIN b ON a.k = b.k JOIN c ON b.k = c.k"
  private val columns = "a.n an, b.n bn, c.n cn"

  /** Rows (k, seconds, number), with a watermark of no delay. */
  private def streams(names: Seq[String] = three): Streams[Timed] =
    new Streams[Timed](session, names)((_, raw) =>
      raw
        .select(col("_1").as("k"), timestamp_seconds(col("_2")).as("t"), col("_3").as("n"))
        .withWatermark("t", "1 second")
    )

  /** Rows in the order of their times, each with the name of its stream. */
  private def inOrder(seed: Long, rows: Int): Seq[(String, Timed)] = {
    val random = new Random(seed)
    val seconds = Seq.fill(rows)(100 + random.nextInt(120)).sorted
    seconds.zipWithIndex.map { case (second, n) =>
      (three(random.nextInt(3)), (random.nextInt(3), second, n))
    }
  }

  /** What a stream processor with these windows (seconds) inserts: rows come one by one, leave their window
    * when it has passed, and each is joined with what is there.
    */
  private def inserted(rows: Seq[(String, Timed)], windows: Map[String, Int]): Seq[String] = {
    val results = for {
      (at, arrived) <- rows.groupBy(_._2._2).toSeq
      there = rows.filter { case (name, (_, t, _)) => t <= at && windows.get(name).forall(at - t < _) }
      of = there.groupMap(_._1)(_._2).withDefaultValue(Nil)
      a <- of("a")
      b <- of("b") if a._1 == b._1
      c <- of("c") if b._1 == c._1 && arrived.exists(r => Seq(a, b, c).contains(r._2))
    } yield s"[${a._3},${b._3},${c._3}]"
    results.sorted
  }

  /** What the streams give, the rows coming in pieces of their order: by one partition, or all at once by
    * three.
    */
  private def streamed(sql: String, rows: Seq[(String, Timed)], pieces: Int, operators: Int): Seq[String] =
    withConf("spark.sql.shuffle.partitions" -> (if (pieces == 1) "3" else "1")) {
      val in = streams()
      running(spark.sql(sql)) { runs =>
        for (piece <- rows.grouped(rows.size / pieces + 1)) {
          for ((name, its) <- piece.groupMap(_._1)(_._2)) in.add(name, its: _*)
          runs.settle()
        }
        assert(runs.operators.size == operators)
        runs.rows
      }
    }

  test("windows on some inputs, on all and in other orders are what a stream processor inserts") {
    val hints = Seq(
      "STREAM_WINDOW(a, 'RANGE 20 SECONDS')" -> Map("a" -> 20),
      "MJOIN(a, b, c), STREAM_WINDOW(a, 'RANGE 30 seconds'), STREAM_WINDOW(b, 'range 10 seconds')" ->
        Map("a" -> 30, "b" -> 10),
      "STREAM_WINDOW(a, 'RANGE 15 SECONDS'), STREAM_WINDOW(b, 'RANGE 40000 milliseconds'), MJOIN, " +
        "STREAM_WINDOW(c, 'RANGE INTERVAL 1 MINUTE')" -> Map("a" -> 15, "b" -> 40, "c" -> 60)
    )
    for (((hint, windows), seed) <- hints.zipWithIndex) {
      val rows = inOrder(seed.toLong, 90)
      val expected = inserted(rows, windows)
      assert(expected.size > 10 && expected.size < inserted(rows, Map.empty).size)
      val operators = if (hint.contains("MJOIN")) 1 else 0
      for (pieces <- Seq(1, 4))
        assert(streamed(s"SELECT /*+ $hint */ $columns $joins", rows, pieces, operators) == expected, hint)
    }
  }

  test("a window is the condition that one would write, also in Spark's own joins and over joins by comma") {
    val rows = inOrder(7, 60)
    val by = "b.t < a.t + INTERVAL 20 SECONDS AND c.t < a.t + INTERVAL 20 SECONDS"
    val window = "STREAM_WINDOW(a, 'RANGE 20 SECONDS')"
    val comma = "FROM a, b, c WHERE a.k = b.k AND b.k = c.k"
    val expected = inserted(rows, Map("a" -> 20))
    for (
      (sql, operators) <- Seq(
        s"SELECT $columns $joins WHERE $by" -> 0,
        s"SELECT /*+ MJOIN */ $columns $joins AND $by" -> 1,
        s"SELECT /*+ MJOIN, $window */ $columns $comma" -> 1,
        s"SELECT /*+ $window, MJOIN(a, b, c) */ $columns $comma" -> 1,
        s"SELECT /*+ $window */ $columns $comma" -> 0
      )
    ) assert(streamed(sql, rows, 2, operators) == expected, sql)
    withConf("spark.streamon.enabled" -> "false") {
      val sql = s"SELECT /*+ MJOIN, $window */ $columns $joins"
      assert(streamed(sql, rows, 2, operators = 0) == expected)
    }
  }

  test("the window's column need not be selected, nor handed on between the joins") {
    val rows = inOrder(8, 60)
    val between = "FROM (SELECT a.k, a.n an, b.n bn FROM a JOIN b ON a.k = b.k) ab JOIN c ON ab.k = c.k"
    val expected = inserted(rows, Map("c" -> 20))
    val in = streams()
    def joined: DataFrame = spark
      .table("a")
      .join(spark.table("b"), Seq("k"))
      .select(col("k"), col("a.n").as("an"), col("b.n").as("bn"))
      .join(spark.table("c"), "k")
      .select("an", "bn", "n")
    running(joined.hint("stream_window", "c", "RANGE 20 SECONDS").hint("mjoin")) { runs =>
      for ((name, its) <- rows.groupMap(_._1)(_._2)) in.add(name, its: _*)
      runs.settle()
      assert(runs.operators.map(_.children.size) == Seq(3))
      assert(runs.rows == expected)
    }
    wrong(
      s"SELECT /*+ STREAM_WINDOW(c, 'RANGE 20 SECONDS') */ * $between",
      "STREAMON_HINT_NO_EVENT_TIME",
      "`c`"
    )
  }

  test("a stream joined with itself, by its aliases") {
    val in = streams(Seq("a"))
    val self = "SELECT /*+ MJOIN, STREAM_WINDOW(late, 'RANGE 10 SECONDS') */ early.n, late.n n2 " +
      "FROM a early JOIN a late ON early.k = late.k"
    running(spark.sql(self)) { runs =>
      in.add("a", (1, 100, 0), (1, 105, 1), (1, 115, 2))
      runs.settle()
      assert(runs.rows == Seq("[0,0]", "[0,1]", "[0,2]", "[1,0]", "[1,1]", "[1,2]", "[2,2]"))
    }
  }

  test("windows on all inputs bound the state") {
    val in = streams()
    val windows = three.map(n => s"STREAM_WINDOW($n, 'RANGE 10 SECONDS')").mkString(", ")
    running(spark.sql(s"SELECT /*+ MJOIN, $windows */ $columns $joins")) { runs =>
      for (second <- Seq(100, 105, 200)) {
        for (n <- three) in.add(n, (1, second, second))
        runs.settle()
      }
      assert(runs.rows.size == 8 + 1)
      assert(runs.progress.last.numRowsTotal == 3)
    }
  }

  test("names stand for inputs under a watermark, a filter or a selection") {
    streams()
    def frame(n: String) = spark.table(n).as(n)
    val (late, some) = (frame("b").where("n >= 0"), frame("c").withWatermark("t", "1 minute"))
    val joined = frame("a").join(late, "k").join(some, "k")
    for (n <- three) joined.hint("stream_window", n, "RANGE 10 SECONDS").hint("mjoin", "a", "b", "c")
  }

  test("a day has 24 hours where clocks are turned back") {
    withConf("spark.sql.session.timeZone" -> "America/Los_Angeles") {
      val in = streams()
      // 2026-10-31 12:00 in Los Angeles; the next day has 25 hours.
      val noon = 1793473200
      running(
        spark.sql("SELECT /*+ STREAM_WINDOW(a, 'RANGE 1 DAY') */ a.n, b.n FROM a JOIN b ON a.k = b.k")
      ) { runs =>
        in.add("a", (1, noon, 0))
        in.add("b", (1, noon + 24 * 3600 - 1, 1), (1, noon + 24 * 3600, 2), (1, noon + 88200, 3))
        runs.settle()
        assert(runs.rows == Seq("[0,1]"))
      }
    }
  }

  test("an invalid window, or an input without one, is an error that says what is allowed") {
    streams()
    spark.readStream.format("rate").load().selectExpr("value k", "timestamp t").createOrReplaceTempView("u")
    spark.range(3).selectExpr("cast(id AS INT) k", "timestamp_seconds(id) t").createOrReplaceTempView("s")
    def windowed(parameters: String, from: String = joins) =
      s"SELECT /*+ STREAM_WINDOW($parameters) */ * $from"
    val example = "STREAM_WINDOW(c, 'RANGE 10 MINUTES')"
    for (
      (text, why) <- Seq(
        "RANGE soon" -> "cannot read the interval",
        "RANGE " -> "cannot read the interval",
        "RANGE 0 SECONDS" -> "must be above zero",
        "RANGE -5 SECONDS" -> "must be above zero",
        "RANGE 2 MONTHS" -> "months",
        "RANGE 1 YEAR 5 SECONDS" -> "months"
      )
    ) wrong(windowed(s"c, '$text'"), "STREAMON_HINT_BAD_WINDOW", text, why, example)
    wrong(windowed("c"), "STREAMON_HINT_BAD_WINDOW", "'c'", example)
    wrong(spark.sql(s"SELECT * $joins").hint("stream_window"), "STREAMON_HINT_BAD_WINDOW", example)
    for (text <- Seq("10 MINUTES", "NOW", "ROWS"))
      wrong(
        windowed(s"c, '$text'"),
        "STREAMON_HINT_UNSUPPORTED_WINDOW",
        text,
        "'RANGE 10 MINUTES'",
        "'ROWS 1000'",
        "'PARTITION BY cid ROWS 4'"
      )
    val ten = "'RANGE 10 MINUTES'"
    wrong(windowed(s"d, $ten"), "STREAMON_HINT_UNKNOWN_INPUT", "`d`", "`a`, `b`, `c`")
    wrong(windowed(s"a, $ten", "FROM a"), "STREAMON_HINT_NO_JOIN", "STREAM_WINDOW(a, RANGE 10 MINUTES)")
    wrong(
      windowed(s"a, $ten", "FROM (SELECT a.k, count(*) FROM a JOIN b ON a.k = b.k GROUP BY a.k) x"),
      "STREAMON_HINT_NO_JOIN"
    )
    val untimed = "FROM a JOIN u ON a.k = u.k JOIN s ON a.k = s.k"
    for (n <- Seq("u", "s"))
      wrong(
        windowed(s"$n, $ten", untimed),
        "STREAMON_HINT_NO_EVENT_TIME",
        s"`$n`",
        "have one: `a`",
        "withWatermark"
      )
    wrong(windowed(s"a, $ten", untimed), "STREAMON_HINT_NO_EVENT_TIME", "`a`", "no other input")
    val outer = "FROM a JOIN b ON a.k = b.k LEFT JOIN c ON a.k = c.k"
    wrong(windowed(s"c, $ten", outer), "STREAMON_HINT_WINDOW_NOT_INNER", "`c`", "LEFT OUTER", "`a`")
    // An outer, or a semi join, of others, below the inner join that takes the condition.
    for (join <- Seq("LEFT OUTER", "LEFT SEMI", "FULL OUTER"))
      wrong(
        windowed(s"c, $ten", s"FROM a $join JOIN b ON a.k = b.k JOIN c ON a.k = c.k"),
        "STREAMON_HINT_WINDOW_NOT_INNER",
        "`c`",
        join,
        if (join == "FULL OUTER") "`a`" else "`b`"
      )
    wrong(windowed(s"a, $ten", "FROM a JOIN a ON true"), "STREAMON_HINT_AMBIGUOUS_INPUT", "`a`")
    wrong(windowed("c, 'RANGE 90000 DAYS'"), "STREAMON_HINT_BAD_WINDOW", "at most a hundred years")
    wrong(
      windowed(
        s"ab, $ten",
        "FROM (SELECT a.k, a.t, b.t bt FROM a JOIN b ON a.k = b.k) ab JOIN c ON ab.k = c.k"
      ),
      "STREAMON_HINT_SEVERAL_EVENT_TIMES",
      "`ab`",
      "`t`, `bt`"
    )
    wrong(
      windowed(s"b, $ten", "FROM a LEFT SEMI JOIN b ON a.k = b.k"),
      "STREAMON_HINT_WINDOW_NOT_INNER",
      "SEMI"
    )
    wrong(spark.table("a").hint("stream_window", "a", "RANGE 10 MINUTES"), "STREAMON_HINT_NO_JOIN")
  }
}
