package org.streamon.spark.joins

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.classic.Dataset
import org.apache.spark.sql.functions.{col, timestamp_seconds}
import org.streamon.spark.SparkSuite
import org.streamon.spark.errors.HintError
import org.streamon.spark.execution.joins.MJoinExec
import org.streamon.core.constraints.JoinConstraint
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.constraints.ConstraintKind._
import org.streamon.core.constraints.JoinConstraint.{Adheres, Unique}

/** `UNIQUE` and `K_CONSTRAINT`: what users declare of the streams of an MJoin, from the hint to the operator.
  */
class ConstraintHintSuite extends AnyFunSuite with SparkSuite with StreamingJoins with HintErrors {
  private lazy val session = spark
  import session.implicits._

  private val three = Seq("a", "b", "c")

  /** Rows (k, x, n), with a watermark on a time. */
  private def streams(names: String*) =
    new Streams[(Int, Int, Int)](session, names)((_, raw) =>
      raw
        .select(
          col("_1").as("k"),
          col("_2").as("x"),
          col("_3").as("n"),
          col("_1").cast("bigint").as("wide"),
          col("_1").cast("double").as("d"),
          timestamp_seconds(col("_2")).as("t")
        )
        .withWatermark("t", "1 second")
    )

  private def operators(frame: DataFrame): Seq[MJoinExec] = withConf(rocksdb) {
    execution(frame.asInstanceOf[Dataset[_]]).sparkPlan.collect { case j: MJoinExec => j }
  }

  private def declared(frame: DataFrame): Seq[JoinConstraint] = operators(frame) match {
    case Seq(one) => one.spec.declared
    case several  => fail(s"$several")
  }

  private def declared(hints: String, from: String, select: String = "*"): Seq[JoinConstraint] =
    declared(spark.sql(s"SELECT /*+ $hints */ $select $from"))

  private val oneKey = "FROM a JOIN b ON a.k = b.k JOIN c ON b.k = c.k"
  private val chain = "FROM a JOIN b ON a.k = b.k JOIN c ON b.x = c.x"

  /** By input, the columns of the key of a dimension. */
  private def key(frame: DataFrame, dimension: Int, input: Int) =
    operators(frame).head.spec.keys(dimension)(input).map(_.sql.split('.').last)

  test("hints become what the operator has, together and in any order, also over a comma join") {
    streams(three: _*)
    val expected = Seq(Unique(1, 0), Adheres(RIDS, 0, 0, 1, 1000))
    val hints = Seq("MJOIN(a, b, c)", "UNIQUE(b, k)", "K_CONSTRAINT('RIDS', a, b, 1000)")
    val window = "STREAM_WINDOW(a, 'RANGE 10 MINUTES')"
    for (from <- Seq(oneKey, "FROM a, b, c WHERE a.k = b.k AND b.k = c.k AND a.n > 0")) {
      for (order <- hints.permutations)
        assert(declared(order.mkString(", "), from).toSet == expected.toSet, order)
      for (order <- (hints :+ window).permutations.toSeq.grouped(7).map(_.head))
        assert(declared(order.mkString(", "), from).toSet == expected.toSet, order)
    }
    assert(
      declared("mjoin, Unique(B, K), k_constraint(oap, A, b, '7')", oneKey).toSet ==
        Set(Unique(1, 0), Adheres(OAP, 0, 0, 1, 7))
    )
    for (kind <- Seq(RIDS, CA, OAP, OAC))
      assert(
        declared(s"MJOIN, K_CONSTRAINT('${kind.name}', c, a, 0)", oneKey) == Seq(Adheres(kind, 0, 2, 0, 0))
      )
    assert(declared("MJOIN, K_CONSTRAINT(ca, a, b, 3), K_CONSTRAINT('CA', a, b, 3)", oneKey).size == 1)
    assert(declared("MJOIN, K_CONSTRAINT(ca, a, b, 3), K_CONSTRAINT(ca, b, a, 4)", oneKey).size == 2)
  }

  test("df.hint, before MJOIN and after") {
    streams(three: _*)
    def joined = spark.table("a").as("x").join(spark.table("b"), "k").join(spark.table("c"), "k")
    val expected = Set(Unique(1, 0), Adheres(RIDS, 0, 2, 1, 1000), Adheres(OAC, 0, 0, 1, 5))
    def with3(frame: DataFrame) = frame
      .hint("UNIQUE", "b", "k")
      .hint("K_CONSTRAINT", "RIDS", "c", "b", 1000)
      .hint("k_constraint", "oac", "x", "b", 5L)
    assert(declared(with3(joined).hint("mjoin")).toSet == expected)
    assert(declared(with3(joined.hint("mjoin", "x", "b", "c"))).toSet == expected)
    assert(declared(with3(joined.hint("mjoin")).select("x.n", "b.n").where("b.n > 3")).toSet == expected)
    // The frame that was hinted is as it was.
    val plain = joined.hint("mjoin")
    assert(declared(with3(plain)).size == 3 && declared(plain).isEmpty)
    val named = joined.select(col("k").as("kk"), col("c.n"))
    def further(n: String) = named.join(spark.table(n).as("y"), col("kk") === col("y.k")).hint("mjoin")
    streams("d")
    withConf("spark.streamon.join.enabled" -> "true") {
      assert(declared(further("d").hint("unique", "y", "k")) == Seq(Unique(3, 0)))
      assert(declared(further("d").hint("k_constraint", "ca", "x", "y", 1)) == Seq(Adheres(CA, 0, 0, 3, 1)))
    }
    // Columns of a stream that Spark does not tell from those of the same stream elsewhere.
    wrong(further("a").hint("unique", "y", "k"), "STREAMON_HINT_AMBIGUOUS_INPUT", "`y`")
  }

  test("a running query has them, whatever its source does with names") {
    val in = streams(three: _*)
    val sql = s"SELECT /*+ MJOIN, UNIQUE(b, k), K_CONSTRAINT('RIDS', a, b, 10) */ a.n, b.n, c.n $oneKey"
    running(spark.sql(sql)) { runs =>
      for (_ <- 1 to 2) {
        for (n <- three) in.add(n, (1, 1, 1))
        runs.settle()
        assert(
          runs.operators.map(_.spec.declared.toSet) == Seq(Set(Unique(1, 0), Adheres(RIDS, 0, 0, 1, 10)))
        )
      }
      assert(runs.rows.size == 8)
    }
    // Spark writes the columns of files anew in each micro-batch, and then leaves out the old ones.
    inFolder { folder =>
      for (n <- three) {
        val path = folder.resolve(n).toString
        spark.range(5).selectExpr("id k", "id + 1 x").write.parquet(path)
        spark.readStream.schema("k LONG, x LONG").parquet(path).createOrReplaceTempView(n)
      }
      running(
        spark.sql(s"SELECT /*+ MJOIN, UNIQUE(b, k), K_CONSTRAINT('RIDS', b, c, 10) */ a.x, c.k $chain")
      ) { runs =>
        runs.settle()
        assert(runs.rows.size == 5)
        val operator = runs.operators.head
        val Seq(Unique(1, first), Adheres(RIDS, second, 1, 2, 10)) = operator.spec.declared: @unchecked
        assert(Seq(first, second).map(operator.spec.keys(_)(1).map(_.sql)) == Seq(Seq("b.k"), Seq("b.x")))
      }
    }
  }

  test("inputs go by alias, name or subquery, under filters and selections, and joined with themselves") {
    streams(three: _*)
    assert(
      declared("MJOIN, UNIQUE(y, k)", "FROM a x JOIN b y USING (k) JOIN c USING (k)") == Seq(Unique(1, 0))
    )
    assert(
      declared(
        "MJOIN, UNIQUE(late, k), K_CONSTRAINT(CA, early, late, 2)",
        "FROM a early JOIN a late USING (k)"
      ).toSet == Set(Unique(1, 0), Adheres(CA, 0, 0, 1, 2))
    )
    val sub =
      "FROM (SELECT k AS k, n m FROM a WHERE n > 3) s JOIN (SELECT x + 1 AS p, n FROM b) r ON s.k = r.p"
    assert(declared("MJOIN, UNIQUE(s, k), UNIQUE(r, p)", sub, "s.m").toSet == Set(Unique(0, 0), Unique(1, 0)))
    // The block of a subquery has names of its own, and a hint above finds its joins.
    val inner = "(SELECT /*+ MJOIN, UNIQUE(a, k) */ a.k, b.x FROM a JOIN b ON a.k = b.k)"
    val flat = s"SELECT /*+ MJOIN, UNIQUE(a, x) */ y.k FROM $inner y JOIN c a ON y.x = a.x"
    val frame = spark.sql(flat)
    val all = declared(frame).map {
      case Unique(i, d) => i -> key(frame, d, i); case other => fail(s"$other")
    }
    assert(all.toSet == Set(0 -> Seq("k"), 2 -> Seq("x")))
    assert(declared("MJOIN, UNIQUE(b, k)", s"FROM (SELECT a.n $oneKey) z") == Seq(Unique(1, 0)))
  }

  test("the dimension is that of the columns, or the one that parent and child share") {
    streams(three: _*)
    val frame = spark.sql(
      s"SELECT /*+ MJOIN, UNIQUE(b, x), K_CONSTRAINT(RIDS, b, c, 5), K_CONSTRAINT(OAP, a, b, 6) */ * $chain"
    )
    val Seq(Unique(1, x), Adheres(RIDS, x2, 1, 2, 5), Adheres(OAP, k, 0, 1, 6)) = declared(frame): @unchecked
    assert(x == x2 && key(frame, x, 1) == Seq("x") && key(frame, k, 1) == Seq("k"))
    // One key of all three: parent and child need not be equated themselves.
    assert(declared("MJOIN, K_CONSTRAINT(RIDS, a, c, 5)", oneKey) == Seq(Adheres(RIDS, 0, 0, 2, 5)))
    // A key of two columns, and a part of it; in any order.
    val composite = "FROM a JOIN b ON a.k = b.k AND a.x = b.x JOIN c ON b.k = c.k AND b.x = c.x"
    for (columns <- Seq("k", "x", "k, x", "x, k", "b.x", "K, x, k"))
      assert(declared(s"MJOIN, UNIQUE(b, $columns)", composite) == Seq(Unique(1, 0)), columns)
    assert(declared("MJOIN, K_CONSTRAINT(RIDS, a, c, 5)", composite) == Seq(Adheres(RIDS, 0, 0, 2, 5)))
    assert(
      declared("MJOIN, UNIQUE(a, k)", "FROM a JOIN b ON a.k = b.k AND a.x + 1 = b.x") == Seq(Unique(0, 0))
    )
    // Integers that are widened.
    assert(declared("MJOIN, UNIQUE(a, k), UNIQUE(b, wide)", "FROM a JOIN b ON a.k = b.wide").size == 2)
    assert(declared("MJOIN, UNIQUE(a, k)", "FROM a JOIN b ON b.k <=> a.k") == Seq(Unique(0, 0)))
  }

  test("without a hint nothing is declared; EXPLAIN has what is") {
    streams(three: _*)
    val plain = s"SELECT /*+ MJOIN */ * $chain"
    assert(declared(spark.sql(plain)).isEmpty)
    def shown(sql: String) = operators(spark.sql(sql)).head.simpleString(1000)
    assert(shown(plain).contains("constraints [observe]"))
    val hinted = plain.replace("MJOIN", "MJOIN, UNIQUE(b, k), K_CONSTRAINT('RIDS', b, c, 1000)")
    withConf("spark.streamon.join.constraints" -> "exact") {
      val one =
        "constraints \\[exact, UNIQUE\\(1 on \\[k#\\d+\\]\\), RIDS\\(1000\\) 1 -> 2 on \\[x#\\d+\\]\\]".r
      assert(one.findFirstIn(shown(hinted)).isDefined, shown(hinted))
      val formatted = operators(spark.sql(hinted)).head.verboseStringWithOperatorId()
      assert(formatted.contains("Constraints : [exact, UNIQUE(1 on [k#"), formatted)
    }
    withConf("spark.streamon.join.constraints" -> "off") {
      assert(!shown(hinted).contains("onstraints"))
      assert(declared(spark.sql(hinted)).size == 2)
    }
  }

  test("where the joins do not become an MJoin, and on tables, hints do nothing") {
    val in = streams(three: _*)
    val hints = "UNIQUE(b, k), K_CONSTRAINT('RIDS', a, b, 10)"
    assert(operators(spark.sql(s"SELECT /*+ $hints */ * $oneKey")).isEmpty)
    // Those of the part that becomes one are used; of the others it does not ask.
    val part = s"SELECT /*+ MJOIN(b, c), UNIQUE(b, k), UNIQUE(a, k), K_CONSTRAINT(RIDS, a, b, 9) */ * " +
      "FROM b JOIN c ON b.k = c.k JOIN a ON a.k = b.k"
    assert(declared(spark.sql(part)) == Seq(Unique(0, 0)))
    spark.range(3).selectExpr("cast(id AS INT) k").createOrReplaceTempView("s")
    assert(declared("MJOIN, UNIQUE(b, k)", s"$oneKey JOIN s ON s.k = a.k") == Seq(Unique(1, 0)))
    in.asTables {
      rows(spark.sql(s"SELECT /*+ $hints, UNIQUE(b, n), K_CONSTRAINT(RIDS, a, b, some) */ a.k $oneKey"))
      rows(spark.table("a").hint("unique", "a", "k"))
      wrong(s"SELECT /*+ UNIQUE(e, k) */ * $oneKey", "STREAMON_HINT_UNKNOWN_INPUT", "`e`", "`a`, `b`, `c`")
      wrong(s"SELECT /*+ UNIQUE(b, z) */ * $oneKey", "STREAMON_HINT_UNKNOWN_COLUMN", "`z`", "`k`, `x`")
      wrong(s"SELECT /*+ K_CONSTRAINT(RIDS, a, e, 1) */ * $oneKey", "STREAMON_HINT_UNKNOWN_INPUT", "`e`")
    }
  }

  test("an invalid hint is an error that says what is allowed") {
    streams(three: _*)
    spark.range(3).selectExpr("cast(id AS INT) k").createOrReplaceTempView("s")
    def bad(hints: String, condition: String, words: String*): Unit =
      badIn(oneKey)(hints, condition, words: _*)
    def badIn(from: String)(hints: String, condition: String, words: String*): Unit =
      wrong(s"SELECT /*+ MJOIN, $hints */ * $from", condition, words: _*)
    bad("UNIQUE(d, k)", "STREAMON_HINT_UNKNOWN_INPUT", "UNIQUE", "`d`", "`a`, `b`, `c`")
    bad("K_CONSTRAINT(CA, a, d, 1)", "STREAMON_HINT_UNKNOWN_INPUT", "K_CONSTRAINT", "`d`", "`a`, `b`, `c`")
    badIn("FROM a JOIN a ON true")("UNIQUE(a, k)", "STREAMON_HINT_AMBIGUOUS_INPUT", "`a`")
    badIn(s"$oneKey JOIN s ON s.k = a.k")(
      "UNIQUE(s, k)",
      "STREAMON_HINT_STATIC_INPUT",
      "`s`",
      "`a`, `b`, `c`"
    )
    bad("UNIQUE(b, q)", "STREAMON_HINT_UNKNOWN_COLUMN", "`q`", "`b`", "Allowed: `k`, `x`, `n`")
    bad("UNIQUE(b, c.k)", "STREAMON_HINT_UNKNOWN_COLUMN", "`c.k`")
    val example = "K_CONSTRAINT('RIDS', c, b, 1000), with a kind (RIDS, CA, OAP, OAC)"
    bad(
      "K_CONSTRAINT(PK, a, b, 1)",
      "STREAMON_HINT_BAD_CONSTRAINT",
      "K_CONSTRAINT(PK, a, b, 1)",
      "'PK'",
      example
    )
    for (k <- Seq("'-1'", "1.5", "many", "'9223372036854775808'"))
      bad(
        s"K_CONSTRAINT(CA, a, b, $k)",
        "STREAMON_HINT_BAD_CONSTRAINT",
        k.replace("'", ""),
        "whole number",
        example
      )
    for (hint <- Seq("K_CONSTRAINT(CA, a, b)", "K_CONSTRAINT(CA, a, b, 1, 2)", "UNIQUE(b)", "UNIQUE"))
      bad(hint, "STREAMON_HINT_BAD_CONSTRAINT", "it needs", "UNIQUE(b, pid)", example)
    bad("K_CONSTRAINT(CA, a, A, 1)", "STREAMON_HINT_BAD_CONSTRAINT", "its own parent")
    val both = Seq("K_CONSTRAINT(CA, a, b, 1)", "K_CONSTRAINT(RIDS, a, b, 1)", "K_CONSTRAINT(ca, A, b, 2)")
    for (order <- both.permutations; from <- Seq(oneKey, "FROM a, b, c WHERE a.k = b.k AND b.k = c.k"))
      badIn(from)(order.mkString(", "), "STREAMON_CONSTRAINT_TWICE", both.head, both.last)
    def hinted = spark.table("a").join(spark.table("b"), "k").hint("k_constraint", "CA", "a", "b", 1)
    wrong(
      hinted.select("k").hint("k_constraint", "CA", "a", "b", 2),
      "STREAMON_CONSTRAINT_TWICE",
      "(CA, a, b, 2)"
    )
    wrong("SELECT /*+ UNIQUE(a, k) */ * FROM a", "STREAMON_HINT_NO_JOIN", "UNIQUE(a, k)")
    wrong(spark.table("a").hint("unique", "a", "k"), "STREAMON_HINT_NO_JOIN")
    badIn("FROM (SELECT a.k FROM a JOIN b ON a.k = b.k) y JOIN c ON y.k = c.k")(
      "UNIQUE(y, k)",
      "STREAMON_CONSTRAINT_OF_JOIN",
      "`y`"
    )
  }

  test("what is not joined is an error, at once or when the joins are known") {
    streams(three: _*)
    spark.range(3).selectExpr("cast(id AS INT) k").createOrReplaceTempView("s")
    val notJoined = "STREAMON_CONSTRAINT_NOT_JOINED"
    wrong(
      s"SELECT /*+ UNIQUE(b, n) */ * $chain",
      notJoined,
      "UNIQUE(b, n)",
      "`n`",
      "(a.k = b.k)",
      "(b.x = c.x)"
    )
    wrong(s"SELECT /*+ UNIQUE(b, k, n) */ * $chain", notJoined, "`n`")
    wrong("SELECT /*+ UNIQUE(b, k) */ * FROM a JOIN b ON a.k = b.k + 1", notJoined, "`k`")
    wrong("SELECT /*+ UNIQUE(b, d) */ * FROM a JOIN b ON a.d = b.d", notJoined, "`b`", "Floating-point")
    wrong("SELECT /*+ UNIQUE(b, k) */ * FROM a JOIN b ON a.k < b.k", notJoined, "`b`")
    wrong("SELECT /*+ UNIQUE(a, k) */ * FROM a JOIN s ON a.k = s.k", notJoined, "`a`")
    wrong(
      "SELECT /*+ K_CONSTRAINT(CA, a, c, 1) */ * FROM a JOIN b ON a.k = b.k JOIN c ON b.k < c.k",
      notJoined,
      "`c`"
    )
    def later(hints: String, from: String, condition: String, words: String*): Unit = {
      val frame = spark.sql(s"SELECT /*+ MJOIN, $hints */ * $from")
      val error = intercept[HintError](operators(frame))
      assert(error.getCondition == condition, error.getMessage)
      words.foreach(w => assert(error.getMessage.contains(w), error.getMessage))
    }
    later(
      "UNIQUE(b, k, x)",
      chain,
      notJoined,
      "UNIQUE(b, k, x)",
      "no join key of `b` contains `k`, `x`",
      "input 0 [k] = input 1 [k]"
    )
    later(
      "K_CONSTRAINT(CA, a, c, 1)",
      chain,
      notJoined,
      "`a` and `c` share no join key",
      "input 1 [x] = input 2 [x]"
    )
    later(
      "K_CONSTRAINT(OAP, a, b, 1)",
      "FROM a JOIN b ON a.k = b.k AND a.x = b.x",
      "STREAMON_HINT_BAD_CONSTRAINT",
      "OAP needs a key of one column",
      "INT, INT"
    )
    val twice = "FROM a JOIN b ON a.k = b.k AND a.x = b.x JOIN c ON b.x = c.x"
    later("K_CONSTRAINT(CA, a, b, 1)", twice, notJoined, "several join keys")
    // Two inputs that a join of another kind makes one.
    later(
      "K_CONSTRAINT(CA, a, b, 1), K_CONSTRAINT(CA, c, b, 2)",
      "FROM a LEFT JOIN c ON a.k = c.k JOIN b ON b.k <=> a.k AND b.k <=> c.k",
      "STREAMON_CONSTRAINT_TWICE",
      "K_CONSTRAINT(CA, a, b, 1)",
      "K_CONSTRAINT(CA, c, b, 2)"
    )
    val rows = "STREAM_WINDOW(a, 'ROWS 5')"
    later(s"UNIQUE(b, k), $rows", oneKey, "STREAMON_CONSTRAINT_OF_ROWS", "UNIQUE(b, k)", "windows of rows")
  }
}
