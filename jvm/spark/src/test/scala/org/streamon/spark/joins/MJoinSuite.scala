package org.streamon.spark.joins

import org.apache.spark.sql.classic.Dataset
import org.apache.spark.sql.streamon.Plans
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.{SparkSuite, StreamonApi}
import org.streamon.spark.planning.MJoin

/** An MJoin inside Structured Streaming: how it is asked for, what it joins, and what it leaves alone. */
class MJoinSuite extends AnyFunSuite with SparkSuite with StreamingJoins with HintErrors {
  private lazy val session = spark
  import session.implicits._

  private type Streams3 = Streams[(Int, String)]

  private def streams(names: String*): Streams3 =
    new Streams[(Int, String)](session, names)((_, raw) => raw.toDF("k", "v"))

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

  private def becomes(sql: String, names: Seq[String], inputs: Seq[Int], rows: Int): Unit = {
    val in = streams(names: _*)
    running(spark.sql(sql)) { runs =>
      for (n <- names) in.add(n, (1 to 4).map(k => (k % 3) -> s"$n$k"): _*)
      runs.settle()
      for (n <- names) in.add(n, (1 to 2).map(k => k -> s"$n$k"): _*)
      runs.settle()
      assert(runs.operators.map(_.children.size) == inputs, runs.operators.mkString("\n"))
      val expected = in.asTables(stock(sql))
      assert(runs.rows == expected)
      assert(expected.size >= rows)
    }
  }

  private val three = Seq("a", "b", "c")

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

  test("a stream joined again behind a projection that renames its columns is not laid flat") {
    withConf("spark.streamon.join.enabled" -> "true") {
      val in = streams("a", "b")
      def joined = {
        val (a, b) = (spark.table("a"), spark.table("b"))
        a.join(b, a("k") === b("k"))
          .select(a("v").as("av"), b("k").as("bk"), b("v").as("bv"))
          .join(a.as("y"), $"bk" === $"y.k" && $"av" =!= $"y.v")
      }
      running(joined) { runs =>
        in.add("a", (1 to 4).map(k => k % 2 -> s"a$k"): _*)
        in.add("b", (1 to 4).map(k => k % 2 -> s"b$k"): _*)
        runs.settle()
        val expected = in.asTables(rows(joined))
        assert(runs.rows == expected && expected.size == 8)
        assert(StreamonApi.whyNot(joined).contains("SAME_COLUMN"))
      }
    }
  }

  test("a condition on the clock stays with Spark in every micro-batch") {
    for (now <- Seq("now()", "current_time()")) {
      val in = streams(three: _*)
      val sql = "SELECT /*+ MJOIN */ a.v av, b.v bv, c.v cv " +
        s"FROM a JOIN b ON a.k = b.k AND (a.v > b.v OR b.v < string($now)) JOIN c ON b.k = c.k"
      running(spark.sql(sql)) { runs =>
        for (batch <- 1 to 2) {
          for (name <- three) in.add(name, 1 -> s"$name$batch")
          runs.settle()
          val names = runs.query.lastProgress.stateOperators.map(_.operatorName).toSeq
          assert(names == Seq("symmetricHashJoin", "symmetricHashJoin"), now)
        }
      }
    }
  }

  test("what a projection between joins makes of the clock or of a table is that of when rows meet") {
    streams(three: _*)
    spark.range(3).createOrReplaceTempView("t")
    withConf(rocksdb, "spark.streamon.join.enabled" -> "true") {
      for (value <- Seq("unix_micros(now())", "(SELECT max(id) FROM t)", "a.k + 1")) {
        val sql = s"SELECT * FROM (SELECT a.k, b.v, $value AS x FROM a JOIN b ON a.k = b.k) ab " +
          "JOIN c ON ab.k = c.k"
        val inputs = Plans
          .of(spark.sql(sql).asInstanceOf[Dataset[_]])
          .optimizedPlan
          .collect { case join: MJoin => join.inputs.size }
        assert(inputs == (if (value == "a.k + 1") Seq(3) else Nil), value)
      }
    }
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

  test("a join of an MJoin with another stream") {
    becomes(
      "SELECT /*+ MJOIN(a, b, c) */ a.v, d.v FROM a JOIN b ON a.k = b.k JOIN c ON a.k = c.k " +
        "JOIN d ON substr(a.v, 2) = substr(d.v, 2)",
      Seq("a", "b", "c", "d"),
      Seq(3),
      10
    )
  }

  private def refused(sql: String, code: String): Unit = {
    val frame = spark.sql(sql)
    val said = StreamonApi.whyNot(frame)
    assert(said.contains(s""""code":"$code""""), said)
  }

  test("what it cannot take stays with Spark, and says why") {
    streams(three: _*)
    spark.range(3).selectExpr("cast(id AS INT) k", "'t' v").createOrReplaceTempView("t")
    withConf(rocksdb) {
      refused("SELECT /*+ MJOIN */ * FROM a JOIN b ON a.k = b.k LEFT SEMI JOIN c ON a.k = c.k", "NOT_INNER")
      refused("SELECT /*+ MJOIN(a, b) */ * FROM a JOIN b ON a.k = b.k JOIN t ON a.k = t.k", "STATIC_SIDE")
      refused(
        "SELECT /*+ MJOIN */ * FROM a JOIN b ON a.k = b.k JOIN c ON int(b.v) = int(c.v)",
        "NOT_CONNECTED"
      )
      refused("SELECT * FROM a JOIN b ON a.k = b.k", "NO_MJOIN_HINT")
      refused(
        "SELECT /*+ MJOIN */ * FROM a JOIN b ON a.v COLLATE UTF8_LCASE = b.v COLLATE UTF8_LCASE",
        "UNSUPPORTED_KEY"
      )
      refused(
        "SELECT /*+ MJOIN */ * FROM a JOIN b ON a.k = b.k AND a.k + b.k < (SELECT max(k) FROM t)",
        "NOT_EVALUABLE"
      )
      for (now <- Seq("now()", "current_time()"))
        refused(
          s"SELECT /*+ MJOIN */ * FROM a JOIN b ON a.k = b.k JOIN c ON b.k = c.k WHERE a.v < c.v OR b.v < string($now)",
          "READS_CLOCK"
        )
      refused("SELECT /*+ MJOIN */ * FROM t JOIN t u ON t.k = u.k", "NOT_STREAMING")
      withConf("spark.streamon.join.enabled" -> "true") {
        refused("SELECT * FROM a JOIN b ON a.k = b.k", "TOO_FEW_STREAMS")
      }
    }
    withConf(rocksdb._1 -> "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider") {
      refused("SELECT /*+ MJOIN */ * FROM a JOIN b ON a.k = b.k", "NO_COLUMN_FAMILIES")
    }
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
    for (memory <- Seq("0", "3k")) withConf("spark.streamon.join.memory" -> memory) {
      val in = streams(four: _*)
      running(spark.sql(sql)) { runs =>
        for (batch <- 0 until 3) {
          for ((n, i) <- four.zipWithIndex)
            in.add(n, (0 to 9).map(k => k % (2 + batch + i) -> s"$n${k % 3}"): _*)
          runs.settle()
        }
        val expected = in.asTables(stock(sql))
        assert(runs.operators.map(_.keys.size) == Seq(2))
        assert(runs.rows == expected && expected.size > 100)
      }
    }
  }

  test("a condition that may raise is tried early, and its errors are those of complete rows") {
    val in = streams(three: _*)
    // No row of c has a key for which it divides by zero.
    val sql = "SELECT /*+ MJOIN */ a.v, b.v, c.v FROM a JOIN b ON a.k = b.k JOIN c ON b.k = c.k " +
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
      assert(drops.head >= 50, drops)
    }
  }

  test("no key connects some inputs: the part that is connected is taken, Spark's join on top of it") {
    // A cast that may raise is no key where Spark evaluates it behind another join.
    val joins =
      "* FROM a JOIN b ON a.k = b.k JOIN c ON b.k = c.k JOIN d ON int(substr(c.v, 2)) = int(substr(d.v, 2))"
    val four = Seq("a", "b", "c", "d")
    becomes(s"SELECT /*+ MJOIN */ $joins", four, Seq(3), 10)
    withConf("spark.streamon.join.enabled" -> "true")(becomes(s"SELECT $joins", four, Seq(3), 10))
  }

  test("a table joined in between ends a tree, and one joined last does not") {
    spark.range(3).selectExpr("cast(id AS INT) k", "'t' || id v").createOrReplaceTempView("t")
    val (a, c) = ("FROM a JOIN b ON a.k = b.k", "JOIN c ON c.k = b.k")
    becomes(s"SELECT /*+ MJOIN */ * $a JOIN t ON b.k = t.k $c", three, Seq(2, 2), 10)
    becomes(s"SELECT /*+ MJOIN */ * $a $c JOIN t ON b.k = t.k", three, Seq(3), 10)
    becomes(s"SELECT /*+ MJOIN */ * FROM t JOIN a ON t.k = a.k JOIN b ON a.k = b.k $c", three, Seq(3), 10)
  }

  test("a hint that cannot be meant is an error that says what is allowed") {
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
