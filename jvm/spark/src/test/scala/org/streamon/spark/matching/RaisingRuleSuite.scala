package org.streamon.spark.matching

import org.scalatest.funsuite.AnyFunSuite

/** Which errors of conditions and of computed columns `streamon_match` raises. */
class RaisingRuleSuite extends AnyFunSuite with RulesView {
  private lazy val session = spark
  import session.implicits._

  test("a condition guards a column that the rows compute, and without a guard its error is raised") {
    view("t", spark.range(0, 400, 1, 2).selectExpr("id", "id % 4 AS x", "10 DIV (id % 4) AS q"))
    val sql = "SELECT id, rules FROM streamon_match(TABLE(t), TABLE(rules))"
    val guarded = Seq(
      "one" -> "x <> 0 AND q > 4",
      "other" -> "x <> 0 AND q = 3 AND id > 5",
      "plain" -> "id < 1 AND x > 0",
      "sum" -> "x = 3 AND q + x > 100",
      "either" -> "x > 0 AND (q = 10 OR id = 7)",
      "case" -> "CASE WHEN x = 0 THEN 0 ELSE q END > 3",
      "other case" -> "CASE WHEN x = 0 THEN 0 ELSE q END > 5",
      "coalesce" -> "coalesce(x, q) > 1",
      "other coalesce" -> "coalesce(x, q) > 2"
    )
    rules(guarded: _*)
    for ((rule, condition) <- guarded) {
      val found = rows(spark.sql(s"$sql WHERE array_contains(rules, '$rule')").select("id"))
      assert(found == stock(s"SELECT id FROM t WHERE $condition"), rule)
    }
    for (unguarded <- Seq("q > 4", "x = 0 AND q > id")) {
      rules(guarded :+ "unguarded" -> unguarded: _*)
      val error = intercept[Exception](spark.sql(sql).collect())
      assert(error.getMessage.contains("DIVIDE_BY_ZERO"), unguarded)
    }
  }

  test("what Spark does not evaluate for a row with a NULL raises nothing here either") {
    val values = Seq((1, "7", Some("A")), (2, "8", Some("b")), (-1, "x", None))
    view("stored", spark.sparkContext.parallelize(values, 1).toDF("id", "t", "s"))
    view("t", spark.sql("SELECT id, s, CAST(t AS INT) AS n FROM stored"))
    val found = "SELECT id FROM streamon_match(TABLE(t), TABLE(rules))"
    for (
      condition <- Seq(
        "(s = s OR 10 DIV (id + 1) > 2) AND upper(s) = s",
        "10 DIV (id + 1) > length(s)",
        "(n > 5 OR s = 'b') AND upper(s) = s"
      )
    ) {
      rules("r" -> condition)
      assert(rows(spark.sql(found)) == stock(s"SELECT id FROM t WHERE $condition"), condition)
    }
    rules("r" -> "10 DIV (id + 1) > length(s)")
    withConf("spark.streamon.filter.errors" -> "strict") {
      assert(intercept[Exception](spark.sql(found).collect()).getMessage.contains("DIVIDE_BY_ZERO"))
    }
  }

  test("a rule guards a column from a filter and from a join above it") {
    view("t", spark.range(0, 400, 1, 2).selectExpr("id", "id % 4 AS x", "10 DIV (id % 4) AS q"))
    view("numbers", spark.sql("SELECT * FROM VALUES (5), (10) AS numbers(n)"))
    rules("guarded" -> "x <> 0 AND q > 2")
    val matched = "streamon_match(TABLE(t), TABLE(rules))"
    val alone = "(SELECT * FROM t WHERE x <> 0 AND q > 2)"
    for (above <- Seq("WHERE q < 9", "WHERE id > 9 AND q + 1 < 9", "JOIN numbers ON q = n")) {
      val expected = stock(s"SELECT id FROM $alone $above")
      assert(expected.nonEmpty && rows(spark.sql(s"SELECT id FROM $matched $above")) == expected, above)
    }
  }

  test("of two columns that raise errors the one raises it that the rule names first") {
    view("t", spark.range(0, 400, 1, 2).selectExpr("id", "10 DIV id AS q", "CAST('x' || id AS INT) AS n"))
    val sql = "SELECT id FROM streamon_match(TABLE(t), TABLE(rules))"
    val (byZero, notANumber) = ("DIVIDE_BY_ZERO", "CAST_INVALID_INPUT")
    // No bound keeps the rows from these.
    def dead(condition: String) = Seq("c" -> s"id < 0 AND $condition", "d" -> s"id > 400 AND $condition")
    for ((condition, error) <- Seq("q > 0 AND n > 0" -> byZero, "n > 0 AND q > 0" -> notANumber)) {
      rules(dead(condition) :+ "a" -> s"id < 1 AND $condition": _*)
      assert(intercept[Exception](spark.sql(sql).collect()).getMessage.contains(error), condition)
      rules(dead(condition): _*)
      assert(rows(spark.sql(sql)).isEmpty)
    }
  }
}
