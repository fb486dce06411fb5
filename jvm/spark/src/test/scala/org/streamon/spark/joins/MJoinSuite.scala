package org.streamon.spark.joins

import java.nio.file.Files

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic.Dataset
import org.apache.spark.sql.functions.{col, expr}
import org.streamon.spark.SparkSuite
import org.streamon.spark.planning.MJoin
import org.scalatest.funsuite.AnyFunSuite

/** An MJoin inside Structured Streaming: how it is asked for, and what it joins. */
class MJoinSuite extends AnyFunSuite with SparkSuite with KeyedStreams with HintErrors {
  private lazy val session = spark
  import session.implicits._

  private val threeWay =
    "SELECT /*+ MJOIN(a, b, c) */ a.k, a.v av, b.v bv, c.v cv FROM a JOIN b ON a.k = b.k JOIN c ON b.k = c.k"

  test("three streams give the rows of Spark's batch join, micro-batch by micro-batch and over a restart") {
    val in = streams("a", "b", "c")
    running(spark.sql(threeWay)) { runs =>
      in.add("a", 1 -> "a1", 2 -> "a2")
      in.add("b", 1 -> "b1", 1 -> "b1'")
      runs.settle()
      assert(runs.rows.isEmpty)
      in.add("c", 1 -> "c1", 3 -> "c3")
      runs.settle()
      assert(runs.operators.size == 1)
      assert(runs.rows == in.asTables(stock(threeWay)))
      assert(runs.rows.size == 2)
      runs.restart()
      in.add("c", 1 -> "c1'")
      in.add("a", 1 -> "a1'", 3 -> "a3")
      in.add("b", 3 -> "b3")
      runs.settle()
      assert(runs.rows == in.asTables(stock(threeWay)))
      assert(runs.progress.last.numRowsTotal == 10)
      assert(runs.progress.last.operatorName == "mjoin")
    }
  }

  test("the hint without names takes the whole tree") {
    becomes(
      "SELECT /*+ MJOIN */ a.v, b.v, c.v FROM a JOIN b ON a.k = b.k JOIN c ON a.k = c.k",
      three,
      Seq(3),
      10
    )
  }

  test("the conf takes every tree of three or more, and leaves two alone") {
    withConf("spark.streamon.join.enabled" -> "true") {
      becomes("SELECT a.v, b.v, c.v FROM a JOIN b ON a.k = b.k JOIN c ON a.k = c.k", three, Seq(3), 10)
      becomes("SELECT a.v, b.v FROM a JOIN b ON a.k = b.k", three, Nil, 10)
    }
  }

  test("two streams by hint, comma joins, USING, and names as they are written") {
    becomes("SELECT /*+ MJOIN(a, b) */ a.v, b.v FROM a JOIN b ON a.k = b.k", three, Seq(2), 10)
    becomes("SELECT /*+ MJOIN */ a.v, b.v, c.v FROM a, b, c WHERE a.k = b.k AND b.k = c.k", three, Seq(3), 10)
    val crossed = "a.v av, b.v bv, c.v cv FROM a CROSS JOIN b CROSS JOIN c WHERE a.k = b.k AND b.k = c.k"
    becomes(s"SELECT /*+ MJOIN */ $crossed", three, Seq(3), 10)
    becomes(s"SELECT /*+ MJOIN(a, b, c) */ $crossed", three, Seq(3), 10)
    withConf("spark.streamon.join.enabled" -> "true") {
      becomes(s"SELECT $crossed", three, Seq(3), 10)
      // Left to Spark, which has no cross join of streams.
      becomes("SELECT a.v, b.v FROM a CROSS JOIN b WHERE a.k = b.k", three, Nil, 10)
      becomes(
        "SELECT a.v, b.v, c.v FROM a CROSS JOIN b JOIN c ON b.k = c.k AND a.k = c.k WHERE a.k = b.k",
        three,
        Seq(3),
        10
      )
    }
    becomes("SELECT /*+ MJOIN(A, c, x) */ * FROM a JOIN b x USING (k) JOIN c USING (k)", three, Seq(3), 10)
  }

  test("a hint that names some inputs leaves the others to Spark") {
    val sql = "SELECT /*+ MJOIN(b, c) */ * FROM b JOIN c ON b.k = c.k JOIN a ON a.k = b.k"
    becomes(sql, three, Seq(2), 10)
  }

  test("self-joins, several keys, null-safe equality, residual conditions, projections and filters between") {
    becomes(
      "SELECT /*+ MJOIN */ * FROM a x JOIN a y ON x.k = y.k JOIN a z ON y.k = z.k",
      Seq("a"),
      Seq(3),
      10
    )
    becomes(
      "SELECT /*+ MJOIN */ * FROM a JOIN b ON a.k = b.k AND substr(a.v, 2) <=> substr(b.v, 2) JOIN c " +
        "ON b.k <=> c.k AND c.v < 'c2'",
      three,
      Seq(3),
      4
    )
    becomes(
      """SELECT /*+ MJOIN */ t.s, t.w, c.v FROM
        |(SELECT a.k + 1 AS s, concat(a.v, b.v) AS w, b.k AS bk FROM a JOIN b ON a.k = b.k AND a.v < b.v) t
        |JOIN c ON t.bk = c.k AND length(t.w) + t.s > c.k AND t.w <> c.v WHERE t.s < 3""".stripMargin,
      three,
      Seq(3),
      4
    )
    becomes(
      "SELECT /*+ MJOIN */ * FROM a JOIN b ON a.k + 1 = b.k + 1 JOIN c ON c.k + 1 = b.k + 1",
      three,
      Seq(3),
      10
    )
  }

  test("a condition on one input that may raise sees the rows only that it sees in Spark") {
    // A filter on a projected function of a user's is not pushed below the projection, nor below its join.
    spark.udf.register("number", (text: String) => text.toInt)
    val sql = "SELECT p.q, p.v, c.v cv FROM " +
      "(SELECT a.k, number(a.v) AS q, b.v FROM a JOIN b ON a.k = b.k) p JOIN c ON p.k = c.k AND p.q > 5"
    withConf("spark.streamon.join.enabled" -> "true") {
      val in = streams(three: _*)
      running(spark.sql(sql)) { runs =>
        in.add("a", 1 -> "4", 1 -> "7", 2 -> "bad")
        in.add("b", 1 -> "b1")
        in.add("c", 1 -> "c1")
        runs.settle()
        assert(runs.operators.map(_.children.size) == Seq(3))
        assert(runs.rows == in.asTables(stock(sql)) && runs.rows.size == 1)
      }
    }
  }

  test("views of one stream keep their own columns, which are the same to the optimizer") {
    def raw = new Streams[(Int, String)](session, Seq("a"))((_, raw) => raw)
    raw
    for ((view, keys) <- Seq("low" -> "_1 < 3", "odd" -> "_1 % 2 = 1", "all" -> "true"))
      spark.sql(s"CREATE OR REPLACE TEMP VIEW $view AS SELECT * FROM a WHERE $keys")
    def views = spark.sql("""SELECT /*+ MJOIN */ low._2, odd._2 AS o, all.* FROM low
        |JOIN odd ON low._1 = odd._1 AND low._2 < odd._2
        |JOIN all ON all._1 = odd._1 AND all._2 <> low._2""".stripMargin)
    def frames = {
      val a = spark.table("a")
      val same = a.select(a("_1").as("_1"), a("_2").cast("string").as("_2"))
      a.as("x").join(same.as("y"), expr("x._1 = y._1 AND x._2 < y._2")).hint("mjoin").select("x._2", "y.*")
    }
    for (join <- Seq(() => views, () => frames)) {
      val in = raw
      running(join()) { runs =>
        in.add("a", (0 to 9).map(n => n % 5 -> s"a$n"): _*)
        runs.settle()
        in.add("a", (0 to 4).map(n => n -> s"b$n"): _*)
        runs.settle()
        assert(runs.operators.size == 1)
        val expected = withConf("spark.streamon.enabled" -> "false")(in.asTables(rows(join())))
        assert(runs.rows == expected && expected.size > 5)
      }
    }
  }

  test("a stream joined again behind a projection that renames its columns has columns of its own") {
    withConf("spark.streamon.join.enabled" -> "true")(inFolder { folder =>
      def write(stream: String, number: Int, rows: Seq[String]) =
        Files.write(folder.resolve(s"$stream/$number.csv"), rows.asJava)
      // Files come by another interface to Spark than memory: their columns have new names in each micro-batch.
      for (stream <- Seq("a", "b")) {
        Files.createDirectories(folder.resolve(stream))
        spark.readStream
          .schema("k INT, v STRING")
          .csv(folder.resolve(stream).toString)
          .createOrReplaceTempView(stream)
      }
      def joined = {
        val (a, b) = (spark.table("a"), spark.table("b"))
        a.join(b, a("k") === b("k"))
          .select(a("v").as("av"), b("k").as("bk"), b("v").as("bv"))
          .join(a.as("y"), col("bk") === col("y.k") && col("av") =!= col("y.v"))
      }
      running(joined) { runs =>
        for ((streams, batch) <- Seq(Seq("a", "b"), Seq("b"), Seq("a")).zipWithIndex) {
          for (stream <- streams) write(stream, batch, (1 to 4).map(k => s"${k % 2},$stream$batch$k"))
          runs.settle()
          assert(runs.operators.map(_.children.size) == Seq(3))
        }
        for (stream <- Seq("a", "b"))
          spark.read
            .schema("k INT, v STRING")
            .csv(folder.resolve(stream).toString)
            .createOrReplaceTempView(stream)
        val expected = rows(joined)
        assert(runs.rows == expected && expected.size == 96)
      }
    })
  }

  test("a UNION is an input whether or not its other branches have new rows") {
    val names = Seq("a", "b", "c", "d", "e")
    val sql =
      """WITH other AS (SELECT k, v FROM c)
        |SELECT u.k, u.v, d.v dv, e.v ev
        |FROM (SELECT a.k, b.v FROM a JOIN b ON a.k = b.k UNION ALL SELECT * FROM other) u
        |JOIN d ON u.k = d.k JOIN e ON u.k = e.k""".stripMargin
    withConf("spark.streamon.join.enabled" -> "true") {
      val in = streams(names: _*)
      running(spark.sql(sql)) { runs =>
        for ((streams, batch) <- Seq(names, names.filter(_ != "c"), Seq("c"), Seq("d")).zipWithIndex) {
          for (name <- streams) in.add(name, (1 to 3).map(k => k -> s"$name$batch"): _*)
          runs.settle()
          assert(runs.operators.map(_.children.size) == Seq(3))
        }
        assert(runs.rows == in.asTables(stock(sql)) && runs.rows.size > 12)
      }
    }
  }

  test("a stream beside an idle one in a UNION keeps columns of its own") {
    val sql = """SELECT /*+ MJOIN */ u._2, x._2 AS o FROM (SELECT * FROM a UNION ALL SELECT * FROM b) u
        |JOIN b x ON u._1 = x._1 AND u._2 <> x._2""".stripMargin
    val in = new Streams[(Int, String)](session, Seq("a", "b"))((_, raw) => raw)
    running(spark.sql(sql)) { runs =>
      for ((streams, batch) <- Seq(Seq("a", "b"), Seq("b"), Seq("a")).zipWithIndex) {
        for (name <- streams) in.add(name, (0 to 5).map(n => n % 3 -> s"$name$batch$n"): _*)
        runs.settle()
        assert(runs.operators.map(_.children.size) == Seq(2))
      }
      assert(runs.rows == in.asTables(stock(sql)) && runs.rows.size > 20)
    }
  }

  test("options of a hint are those of its own joins, not of the joins in an input") {
    streams(three: _*)
    def keys(options: String*) = {
      val (a, b) = (spark.table("a"), spark.table("b"))
      a.join(b, "k").hint("mjoin", options: _*).select("k").dropDuplicates("k")
    }
    def joined(inner: Seq[String], outer: Seq[String]) =
      keys(inner: _*).as("ab").join(spark.table("c"), "k").hint("mjoin", outer: _*)
    def modes(frame: DataFrame) = execution(frame.asInstanceOf[Dataset[_]]).optimizedPlan
      .collect { case join: MJoin => join.settings.constraints.mode.name }
    withConf(rocksdb) {
      val (exact, approximate) = ("constraints=exact", "constraints=approximate")
      assert(modes(joined(Seq(approximate), Seq(exact))) == Seq("exact", "approximate"))
      assert(modes(joined(Seq(approximate), Nil)) == Seq("observe", "approximate"))
      assert(modes(joined(Seq(exact), Seq("ab", "c", approximate))) == Seq("approximate", "exact"))
      assert(modes(joined(Nil, Seq(exact))) == Seq("exact", "observe"))
    }
  }

  test("a join of an MJoin with another stream") {
    becomes(
      "SELECT /*+ MJOIN(a, b, c) */ a.v, d.v FROM a JOIN b ON a.k = b.k JOIN c ON a.k = c.k " +
        "JOIN d ON substr(a.v, 2) = substr(d.v, 2)",
      Seq("a", "b", "c", "d"),
      Seq(3),
      10
    )
  }

  test("different keys between pairs: R-S-T, a chain, a cycle and a clique of four") {
    becomes(
      "SELECT /*+ MJOIN */ * FROM a JOIN b ON a.k = b.k JOIN c ON substr(b.v, 2) = substr(c.v, 2)",
      three,
      Seq(3),
      10
    )
    val four = Seq("a", "b", "c", "d")
    val chain =
      "FROM a JOIN b ON a.k = b.k JOIN c ON substr(b.v, 2) = substr(c.v, 2) JOIN d ON length(c.v) = length(d.v)"
    becomes(s"SELECT /*+ MJOIN */ * $chain", four, Seq(4), 10)
    becomes(s"SELECT /*+ MJOIN */ * $chain AND a.v < d.v AND string(a.k) <=> string(d.k)", four, Seq(4), 10)
    val attributes =
      Seq("k", "substr(v, 2)", "length(v)", "string(k)", "concat('x', k)", "concat(substr(v, 2), 'x')")
    val pairs = four.combinations(2).toSeq.zip(attributes).map { case (pair, attribute) =>
      pair.map(s => attribute.replaceAll("\\b[kv]\\b", s"$s.$$0")).mkString(" = ")
    }
    becomes(s"SELECT /*+ MJOIN */ * FROM a, b, c, d WHERE ${pairs.mkString(" AND ")}", four, Seq(4), 4)
  }

  test("any order of probing may be forced: it is followed as far as the keys allow") {
    val sql = "SELECT /*+ MJOIN */ * FROM a JOIN b ON a.k = b.k JOIN c ON substr(b.v, 2) = substr(c.v, 2)"
    for (order <- Seq(0, 1, 2).permutations)
      withConf("spark.streamon.join.forcedOrder" -> order.mkString(","))(becomes(sql, three, Seq(3), 10))
  }

  test("a hypercube finds each result once on any number of partitions, and counts replicas apart") {
    val sql = "SELECT /*+ MJOIN */ a.v, b.v, c.v FROM a JOIN b ON a.k = b.k JOIN c ON b.v = c.v"
    for (partitions <- Seq(1, 3, 4, 7)) withConf("spark.sql.shuffle.partitions" -> partitions.toString) {
      val in = streams(three: _*)
      running(spark.sql(sql)) { runs =>
        for (n <- three) in.add(n, (1 to 12).map(k => k % 5 -> s"v${k % 4}"): _*)
        runs.settle()
        for (n <- three) in.add(n, 1 -> "v1", 2 -> "v2")
        runs.restart()
        runs.settle()
        val expected = in.asTables(stock(sql))
        assert(runs.rows == expected && expected.size > 50)
        val state = runs.progress.last
        val replicas = state.customMetrics.get("mjoinReplicaRows").longValue
        assert(state.numRowsTotal - replicas == 3 * 14)
        assert((replicas > 0) == (partitions > 1))
      }
    }
  }

  test("two keys between two inputs that memory has no room for") {
    val sql = "SELECT /*+ MJOIN */ a.v, b.v, c.v, d.v FROM a JOIN b ON a.k = b.k " +
      "JOIN c ON b.k = c.k AND substr(b.v, 2) = substr(c.v, 2) JOIN d ON substr(c.v, 2) = substr(d.v, 2)"
    val four = Seq("a", "b", "c", "d")
    for (memory <- Seq("0", "3k")) withConf("spark.streamon.executor.memory" -> memory) {
      val in = streams(four: _*)
      running(spark.sql(sql)) { runs =>
        for (batch <- 0 until 3) {
          for ((n, i) <- four.zipWithIndex)
            in.add(n, (0 to 9).map(k => k % (2 + batch + i) -> s"$n${k % 3}"): _*)
          runs.settle()
        }
        val expected = in.asTables(stock(sql))
        assert(runs.operators.map(_.spec.keys.size) == Seq(2))
        assert(runs.rows == expected && expected.size > 100)
      }
    }
  }

  test("a condition that may raise is tried early, and its errors are those of the rows that Spark has") {
    val in = streams(three: _*)
    // No row of c has a key for which it divides by zero.
    val sql = "SELECT /*+ MJOIN */ a.v, b.v, c.v FROM c JOIN a ON a.k = c.k JOIN b ON b.k = c.k " +
      "AND 10 / (int(a.v) - int(b.v)) > 5"
    running(spark.sql(sql)) { runs =>
      in.add("a", (1 to 200).map(k => k -> "5") :+ (-1 -> "4"): _*)
      in.add("b", (1 to 200).map(k => k -> "5") :+ (-1 -> "3"): _*)
      in.add("c", -1 -> "c")
      runs.settle()
      in.add("b", (1 to 50).map(_ => -1 -> "9"): _*)
      runs.settle()
      assert(runs.operators.map(_.children.size) == Seq(3))
      assert(runs.rows == Seq("[4,3,c]"))
      val drops = (0 until 3).map(i => runs.progress.map(_.customMetrics.get(s"mjoinDrops$i").longValue).sum)
      // Rows of b that no a satisfies are dropped there, before c is asked.
      assert(drops(1) >= 50, drops)
    }
  }

  test("a user's function is evaluated on rows that it sees in Spark, and on no others") {
    spark.udf.register("apart", (x: String, y: String) => { require(x != y, "the same"); true })
    for (
      sql <- Seq(
        "SELECT /*+ MJOIN */ a.v, b.v, c.v FROM a JOIN b ON a.k = b.k AND apart(a.v, b.v) JOIN c ON b.v = c.v",
        "SELECT /*+ MJOIN */ a.v, b.v, c.v FROM a JOIN b ON a.k = b.k JOIN c ON b.v = c.v AND apart(a.v, c.v)"
      )
    ) {
      val in = streams(three: _*)
      running(spark.sql(sql)) { runs =>
        // The same texts under different keys, and of a and c without a b between.
        in.add("a", 1 -> "x", 2 -> "y", 3 -> "z")
        in.add("b", 1 -> "y", 2 -> "x")
        in.add("c", 0 -> "x", 0 -> "y", 0 -> "z")
        runs.settle()
        assert(runs.rows == Seq("[x,y,y]", "[y,x,x]") && runs.rows == in.asTables(stock(sql)))
        in.add("b", 3 -> "z")
        assert(failure(runs.settle()).contains("the same"))
        assert(messages(intercept[Exception](in.asTables(stock(sql)))).exists(_.contains("the same")))
      }
    }
  }

  test("a user's function sees no pairs that a key or a range written behind it rejects") {
    spark.udf.register("apart", (x: String, y: String) => { require(x != y, "the same"); true })
    // An equality of several inputs is a key in Spark, and none here.
    val summed = "SELECT /*+ MJOIN */ a.v, b.v, c.v FROM a JOIN b ON a.k = b.k JOIN c ON a.k = c.k " +
      "AND apart(a.v, c.v) AND int(b.v) + a.k = int(c.v)"
    val in = streams(three: _*)
    running(spark.sql(summed)) { runs =>
      in.add("a", 1 -> "7", 2 -> "8")
      in.add("b", 1 -> "5", 2 -> "4")
      in.add("c", 1 -> "7", 1 -> "6", 2 -> "6")
      runs.settle()
      assert(runs.operators.size == 1)
      assert(runs.rows == Seq("[7,5,6]", "[8,4,6]") && runs.rows == in.asTables(stock(summed)))
    }
  }

  test("an invalid hint is an error that says what is allowed") {
    streams(three: _*)
    spark.range(3).selectExpr("cast(id AS INT) k", "'t' v").createOrReplaceTempView("t")
    val joins = "FROM a JOIN b ON a.k = b.k JOIN t ON a.k = t.k"
    wrong(spark.sql(s"SELECT /*+ MJOIN(a, d) */ * $joins"), "STREAMON_HINT_UNKNOWN_INPUT", "`d`", "`a`, `b`")
    wrong(
      spark.sql(s"SELECT /*+ MJOIN(a, b, t) */ * $joins"),
      "STREAMON_HINT_STATIC_INPUT",
      "`t`",
      "`a`, `b`"
    )
    wrong(spark.sql(s"SELECT /*+ MJOIN(a) */ * $joins"), "STREAMON_HINT_TOO_FEW_STREAMS", "MJOIN(a)", "`a`")
    wrong(spark.sql("SELECT /*+ MJOIN */ * FROM a"), "STREAMON_HINT_TOO_FEW_STREAMS")
    wrong(spark.table("a").hint("mjoin", "a", "b"), "STREAMON_HINT_UNKNOWN_INPUT", "`b`")
    val twice = "STREAMON_HINT_INPUT_TWICE"
    wrong(spark.sql(s"SELECT /*+ MJOIN(a, a) */ * $joins"), twice, "MJOIN(a, a)", "`a`", "Allowed: ")
    wrong(spark.sql(s"SELECT /*+ MJOIN(a, b, A) */ * $joins"), twice, "MJOIN(a, b, A)", "`A`")
  }

  test("what is no name is reported as it is written") {
    streams(three: _*)
    for (text <- Seq("*", "a.*", "count(*)"))
      wrong(
        s"SELECT /*+ MJOIN($text, b) */ * FROM a JOIN b ON a.k = b.k",
        "STREAMON_HINT_UNKNOWN_INPUT",
        s"`$text`"
      )
    wrong(spark.table("a").hint("mjoin", col("*")), "STREAMON_HINT_UNKNOWN_INPUT", "`*`")
    wrong("SELECT /*+ ADAPTIVE_FILTER(*) */ * FROM a", "STREAMON_HINT_BAD_OPTION", "bad value '*'")
  }

  test("an option is given once, and within what its algorithm takes") {
    streams(three: _*)
    def bad(options: String, words: String*) =
      for (
        (hint, block) <- Seq("MJOIN" -> "FROM a JOIN b USING (k)", "ADAPTIVE_FILTER" -> "FROM a WHERE k > 3")
      )
        wrong(s"SELECT /*+ $hint($options) */ * $block", "STREAMON_HINT_BAD_OPTION", hint +: words: _*)
    bad("'window=7', 'Window=8'", "'window'", "'window=7'", "'Window=8'", "once")
    bad("'algorithm=sweep', 'window=501'", "'501'", "sweep", "1 to 500")
    bad("'window=501', 'algorithm=SWEEP'", "'501'", "sweep", "1 to 500")
    bad("'routes=0'", "'routes'", "1 to 8")
    bad("'routes.search=none'", "'routes.search'", "ii-qm", "sa-qm", "opt-qm")
    bad("'routes.start=none'", "'routes.start'", "route-driven", "extreme-n")
    wrong(
      "SELECT /*+ ADAPTIVE_FILTER(sweep, 'algorithm=sweep') */ * FROM a",
      "STREAMON_HINT_BAD_OPTION",
      "'algorithm'",
      "'sweep' and 'algorithm=sweep'"
    )
    withConf("spark.streamon.filter.algorithm" -> "sweep", "spark.streamon.join.algorithm" -> "sweep") {
      // The hint says nothing of sweep: what the session says cuts its window.
      assert(spark.sql("SELECT /*+ MJOIN('window=501') */ * FROM a JOIN b USING (k)").isStreaming)
    }
  }

  test("df.hint, with names and without") {
    val in = streams(three: _*)
    def joined = spark.table("a").as("x").join(spark.table("b"), "k").join(spark.table("c"), "k")
    running(joined.hint("mjoin", "x", "b", "c")) { runs =>
      for (n <- three) in.add(n, 1 -> n, 2 -> n)
      runs.settle()
      assert(runs.operators.map(_.children.size) == Seq(3))
      assert(runs.rows == Seq("[1,a,b,c]", "[2,a,b,c]"))
    }
  }
}
