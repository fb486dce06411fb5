package org.streamon.spark.matching

import java.util.SplittableRandom

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.columnar.InMemoryRelation
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.execution.selections.MatchRulesExec
import org.streamon.spark.logical.MatchRules

/** `streamon_match` in batch queries. */
class MatchSuite extends AnyFunSuite with RulesView {
  private lazy val session = spark
  import session.implicits._

  private def flights(): Unit = view(
    "flights",
    Seq(
      (1, Option("JFK"), Option(70.0), 2500),
      (2, Option("JFK"), Option(10.0), 150),
      (3, Option("EWR"), None, 120),
      (4, None, Option(200.0), 900)
    ).toDF("id", "origin", "dep_delay", "distance")
  )

  private def theMatch(frame: DataFrame): MatchRulesExec = {
    val found = collect(frame.queryExecution.executedPlan) { case m: MatchRulesExec => m }
    assert(found.size == 1, frame.queryExecution.executedPlan)
    found.head
  }

  private def matched(more: String = ""): Seq[String] = {
    val frame = spark.sql(s"SELECT id, rules FROM streamon_match(TABLE(flights), TABLE(rules)$more)")
    theMatch(frame)
    rows(frame)
  }

  test("each row comes with the rules that hold, and rows without a rule do not come") {
    flights()
    rules(
      "short_hop" -> "distance < 200 AND id <> 3",
      "late_jfk" -> "origin = 'JFK' AND dep_delay > 60",
      "from_jfk" -> "origin = 'JFK'",
      "nowhere" -> "origin IN ('LGA') OR distance > 10000"
    )
    assert(matched() == Seq("[1,ArraySeq(from_jfk, late_jfk)]", "[2,ArraySeq(from_jfk, short_hop)]"))
    val exploded =
      spark.sql("SELECT id, rule FROM streamon_match(TABLE(flights), TABLE(rules), 'exploded')")
    assert(rows(exploded) == Seq("[1,from_jfk]", "[1,late_jfk]", "[2,from_jfk]", "[2,short_hop]"))
  }

  test("nulls, residuals, and ORs across columns") {
    flights()
    rules(
      "null" -> "origin IS NULL OR dep_delay IS NULL",
      "either" -> "origin = 'EWR' OR (distance > 800 AND dep_delay > 100)",
      "sum" -> "dep_delay + distance > 2000",
      "guarded" -> "id <> 2 AND 100 / (id - 2) > 50",
      "always" -> "true",
      "never" -> "NULL"
    )
    assert(
      matched() == Seq(
        "[1,ArraySeq(always, sum)]",
        "[2,ArraySeq(always)]",
        "[3,ArraySeq(always, either, guarded, null)]",
        "[4,ArraySeq(always, either, null)]"
      )
    )
  }

  test("of thousands of rules some are compared with their ranges, and the same hold") {
    val random = new SplittableRandom(27)
    def drawn(count: Int) =
      Seq.fill(count)((1 to 3).map(_ => random.nextInt(1000))).map(r => (r(0), r(1), r(2)))
    val (bounds, values) = (drawn(3000), drawn(200))
    val named = bounds.zipWithIndex.map { case ((x, y, z), k) => (f"r$k%04d", x, y, z / 2) }
    rules(named.map { case (rule, x, y, z) =>
      rule -> s"x BETWEEN $x AND ${x + 200} AND y <> $y AND z >= $z AND z < ${z + 300}"
    }: _*)
    view("numbers", values.toDF("x", "y", "z").repartition(2))
    val held = values
      .map { case (x, y, z) =>
        val of = named.collect {
          case (rule, a, b, c) if a <= x && x <= a + 200 && y != b && c <= z && z < c + 300 => rule
        }
        (x, y, z, of)
      }
      .filter(_._4.nonEmpty)
    withConf("spark.streamon.match.memory" -> "400k") {
      val frame = spark.sql("SELECT x, y, z, rules FROM streamon_match(TABLE(numbers), TABLE(rules))")
      val found = frame.as[(Int, Int, Int, Seq[String])].collect().toSeq
      assert(found.sortBy(_.toString) == held.sortBy(_.toString))
      assert(held.size > 150 && !theMatch(frame).selections.compiled.checks.isEmpty)
    }
  }

  test("switched off, Spark alone gives the same rows") {
    flights()
    rules("a" -> "distance < 200", "b" -> "origin LIKE 'J%' AND NOT dep_delay > 60", "c" -> "dep_delay > id")
    for (output <- Seq("'arrays'", "'exploded'")) {
      val sql = s"SELECT * FROM streamon_match(TABLE(flights), TABLE(rules), $output)"
      assert(stock(sql) == rows(spark.sql(sql)) && stock(sql).nonEmpty)
    }
  }

  test("EXPLAIN and the metrics tell what is looked up, and how often") {
    flights()
    rules("a" -> "distance < 200 AND origin = 'JFK'", "b" -> "distance > id * 2 AND distance < 100")
    val frame = spark.sql("SELECT id FROM streamon_match(TABLE(flights), TABLE(rules))")
    val text = explained(frame)
    assert(text.contains("MatchRules, 2 rules") && text.contains("distance  (asked by 2 rules)"), text)
    assert(text.contains("rules that are left: 1"), text)
    frame.collect()
    val operator = theMatch(frame)
    assert(operator.metrics("matches").value == 1 && operator.metrics("numOutputRows").value == 1)
    // Of four rows two are within what both rules ask of the distance.
    assert(operator.metrics("asked0").value == 2, operator.columns)
    assert(operator.metrics("memory").value > 0)
  }

  test("what is joined with itself has columns of its own on each side") {
    flights()
    rules("a" -> "distance < 200", "b" -> "origin = 'JFK'")
    val matched = spark.sql("SELECT * FROM streamon_match(TABLE(flights), TABLE(rules))")
    assert(rows(matched.as("m").join(matched.as("n"), "id").select("m.rules", "n.rules")).size == 3)
  }

  test("columns that nobody reads are not read, and thousands of rules are no expressions of the plan") {
    flights()
    rules((0 until 3000).map(i => f"r$i%04d" -> s"distance = $i AND id > 0"): _*)
    val frame = spark.sql("SELECT id, rules FROM streamon_match(TABLE(flights), TABLE(rules))")
    assert(
      rows(frame) == Seq(
        "[1,ArraySeq(r2500)]",
        "[2,ArraySeq(r0150)]",
        "[3,ArraySeq(r0120)]",
        "[4,ArraySeq(r0900)]"
      )
    )
    val operator = theMatch(frame)
    assert(operator.child.output.map(_.name).toSet == Set("id", "distance"))
    assert(operator.expressions.size == 3)
  }

  test("generated code stays small enough for the JIT compiler with as many columns as there can be") {
    val columns =
      (0 until 40).map(i => s"CAST(id % ${i + 2} AS ${Seq("INT", "DOUBLE", "STRING")(i % 3)}) AS c$i")
    view("wide", spark.range(100).selectExpr("id" +: columns: _*).cache())
    rules((0 until 40).map(i => s"r$i" -> s"c$i > ${if (i % 3 == 2) "'0'" else "1"} AND id >= $i"): _*)
    val frame = spark.sql("SELECT id, rules FROM streamon_match(TABLE(wide), TABLE(rules))")
    val operator = theMatch(frame)
    assert(operator.columns.size == 32)
    assert(methodSizes(frame).forall(size => size > 0 && size < 8000), methodSizes(frame))
    assert(frame.count() > 50)
  }

  test("rules that differ in the order of operands alone are apart") {
    view("sums", Seq((1, 0.1, 0.2, 0.3)).toDF("id", "a", "b", "c"))
    rules("left" -> "a + b + c > 0.6D", "right" -> "c + b + a > 0.6D")
    assert(
      rows(spark.sql("SELECT rules FROM streamon_match(TABLE(sums), TABLE(rules))")) == Seq(
        "[ArraySeq(left)]"
      )
    )
    view("t", Seq((1, 0, 2), (2, 1, 1)).toDF("x", "y", "z").selectExpr("*", "x - x AS n"))
    rules(
      "guarded" -> "x + n - 1 <> 0 AND 10 / (x + n - 1) > 2",
      "by z" -> "z = 9 AND 10 / (x + n - 1) > 2 AND x + n - 1 <> 0"
    )
    assert(
      rows(spark.sql("SELECT x, rules FROM streamon_match(TABLE(t), TABLE(rules))")) == Seq(
        "[2,ArraySeq(guarded)]"
      )
    )
  }

  test("an expression that several rules compare may read a column several times") {
    view("points", spark.range(100).selectExpr("id", "CAST(id AS DOUBLE) x", "CAST(id % 7 AS DOUBLE) y"))
    rules("near" -> "x * x + y * y < 100", "far" -> "x * x + y * y > 9000")
    val frame = spark.sql("SELECT id, rules FROM streamon_match(TABLE(points), TABLE(rules))")
    assert(theMatch(frame).columns.size == 1)
    assert(frame.count() == 15)
  }

  test("expressions with a state are evaluated by several tasks at once") {
    val amounts = spark.range(0, 40000, 1, 8).selectExpr("id", "CAST(id % 1000 AS STRING) s", "id % 3 AS k")
    view("amounts", amounts)
    rules(
      "number" -> "to_number(s, '999') + k > 1000",
      "json" -> "to_json(named_struct('s', s, 'k', k)) LIKE '%\"77\",\"k\":1%'"
    )
    val sql = "SELECT id, rules FROM streamon_match(TABLE(amounts), TABLE(rules))"
    assert(rows(spark.sql(sql)) == stock(sql))
  }

  test("special times are those of the query") {
    view("days", spark.sql("SELECT id, current_date() - CAST(id AS INT) AS d FROM range(3)"))
    rules(
      "today" -> "d >= 'today'",
      "earlier" -> "d < CAST('today' AS DATE)",
      "zone" -> "d <= CAST('tomorrow UTC' AS DATE)",
      "computed" -> "d = CAST(concat('yester', 'day') AS DATE)"
    )
    val sql = "SELECT id, rules FROM streamon_match(TABLE(days), TABLE(rules))"
    assert(
      rows(spark.sql(sql)) == Seq(
        "[0,ArraySeq(today, zone)]",
        "[1,ArraySeq(computed, earlier, zone)]",
        "[2,ArraySeq(earlier, zone)]"
      )
    )
  }

  test("an OR of many ANDs of ORs is not multiplied out") {
    flights()
    val many = (1 to 30).map(i => s"(id = $i OR distance = $i)").mkString(" AND ")
    rules("many" -> s"id = 3 OR ($many)")
    assert(matched() == Seq("[3,ArraySeq(many)]"))
  }

  test("a filter on the result reaches the rows, and a cached result is found again") {
    flights()
    rules("a" -> "distance < 1000", "b" -> "origin = 'JFK'")
    val sql = "SELECT id, rules FROM streamon_match(TABLE(flights), TABLE(rules))"
    val filtered = spark.sql(s"$sql WHERE id > 2 AND size(rules) = 1")
    val filters = filtered.queryExecution.optimizedPlan.collect { case m: MatchRules => m.child.maxRows }
    assert(filters == Seq(Some(2)), filtered.queryExecution)
    assert(rows(filtered) == Seq("[3,ArraySeq(a)]", "[4,ArraySeq(a)]"))
    spark.sql(sql).cache()
    try {
      val again = spark.sql(sql)
      assert(again.queryExecution.withCachedData.exists(_.isInstanceOf[InMemoryRelation]))
      rules("a" -> "distance < 1000")
      val other = spark.sql(sql)
      assert(!other.queryExecution.withCachedData.exists(_.isInstanceOf[InMemoryRelation]))
    } finally spark.catalog.clearCache()
  }

  test("a column that the rows compute is computed once a row") {
    val computed = spark.sparkContext.longAccumulator
    spark.udf.register("computed", (id: Long) => { computed.add(1); id % 10 })
    view("t", spark.range(0, 1000, 1, 2).selectExpr("id", "id % 2 AS x", "computed(id) AS c"))
    rules("a" -> "c > 3 AND x = 0", "b" -> "c - 1 < 3 AND c + x > 1", "d" -> "c + id > 7 AND x = 1")
    val matched = spark.sql("SELECT id, c, rules FROM streamon_match(TABLE(t), TABLE(rules))")
    theMatch(matched)
    assert(matched.count() == 900L && computed.value == 1000L)
    computed.reset()
    assert(rows(matched).size == 900 && computed.value == 1000L)
  }
}
