package org.streamon.spark

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types.LongType
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.logical.FilterHint

/** Filters that adaptive ones once got wrong, each with what it takes to see it. */
class OnceWrongSuite extends AnyFunSuite with SparkSuite {

  private def sameAsStock(query: String, codegen: Seq[Boolean] = Seq(true, false)): Unit =
    for {
      wholeStage <- codegen.map(_.toString)
      settings = Seq("spark.streamon.filter.mode" -> "always", "spark.sql.codegen.wholeStage" -> wholeStage)
    } withConf(settings: _*) {
      val ours = spark.sql(query)
      assert(rows(ours) == stock(query), s"codegen $wholeStage: $query")
      assert(adaptiveFilters(ours).nonEmpty, ours.queryExecution.executedPlan)
    }

  override def beforeAll(): Unit = {
    super.beforeAll()
    spark
      .range(0, 400, 1, 1)
      .selectExpr("id", "if(id % 3 = 0, null, id) a", "if(id % 5 = 0, null, id) b", "id % 7 c")
      .localCheckpoint()
      .createOrReplaceTempView("gaps")
    spark
      .sql("VALUES ('abc', 'xyz'), ('1', '7'), ('5', '3') AS v(s, t)")
      .localCheckpoint()
      .createOrReplaceTempView("texts")
  }

  test("rand draws for the rows that reach it in stock Spark: null checks of later columns come after it") {
    sameAsStock("SELECT id FROM gaps WHERE rand(42) < 0.7 AND a > 20 AND b % 2 = 0 AND c <> 1")
  }

  test(
    "rand sees the rows that it sees in stock Spark: a part of the filter is interpreted only as in the whole"
  ) {
    val query =
      "SELECT id FROM gaps WHERE rand(42) < 0.7 AND a > 20 AND c <> 1 AND exists(array(b), x -> x % 2 = 0)"
    withConf("spark.streamon.filter.mode" -> "always")(assert(rows(spark.sql(query)) == stock(query)))
  }

  test("rand sees the rows that it sees in stock Spark: a null check behind it of what is read ahead of it") {
    spark.sql("SELECT id, a / 400 p, c FROM gaps").localCheckpoint().createOrReplaceTempView("shares")
    sameAsStock("SELECT id FROM shares WHERE rand(7) < p AND p IS NOT NULL AND c <> 1 AND id % 3 <> 1")
  }

  test("rand draws behind a conjunct that is null where Spark interprets the filter") {
    sameAsStock(
      "SELECT id FROM gaps WHERE (a > 390 OR b > 390 OR a < 90) AND c <> 1 AND rand(42) < 0.7 AND c <> 2 AND c <> 3"
    )
  }

  test("shared work is not done ahead of an operand that is null: it may raise") {
    val query =
      "SELECT s FROM texts WHERE try_cast(s AS INT) + cast(t AS INT) > 3 AND cast(t AS INT) < 9 AND s <> '2'"
    for (order <- Seq("0,1,2", "2,1,0"))
      withConf(
        "spark.streamon.filter.forcedOrder" -> order,
        "spark.sql.subexpressionElimination.enabled" -> "false"
      )(sameAsStock(query, codegen = Seq(true))) // interpreted, stock Spark raises too
  }

  test("where generated code outgrows the limit Spark interprets the stage, in its own written order") {
    val query = "SELECT id FROM gaps WHERE rand(42) < 0.7 AND a > 20 AND b % 2 = 0 AND c <> 1"
    withConf("spark.streamon.filter.mode" -> "always", "spark.sql.codegen.hugeMethodLimit" -> "8") {
      sameAsStock(query, codegen = Seq(true))
      val ours = spark.sql(query)
      ours.collect()
      assert(adaptiveFilters(ours).forall(_.metrics("evaluations0").value == 0))
    }
  }

  test("a hint does not leak through the literals that the optimizer shares among queries") {
    def reads(column: String) = GreaterThan(AttributeReference(column, LongType)(), Literal(3L))
    val hinted = And(reads("a"), Literal.TrueLiteral)
    FilterHint.mark(hinted, FilterHint(Map.empty))
    assert(FilterHint.on(hinted).isDefined)
    assert(FilterHint.on(And(reads("b"), Literal.TrueLiteral)).isEmpty)
  }

  test("strict: a conjunct over a column that is computed when it is read keeps its place") {
    // rand keeps the projection below the filter; r is computed where it is first read.
    val computed = "SELECT id, c, rand(1) x, 10 / c r FROM gaps"
    val query =
      s"SELECT id, x FROM ($computed) WHERE sha2(cast(c AS STRING), 256) <> sha2('0', 256) AND r > 2 AND id <> 5"
    for ((errors, disturbs) <- Seq("strict" -> false, "withhold" -> true))
      withConf(
        "spark.streamon.filter.errors" -> errors,
        "spark.streamon.filter.initialOrder" -> "cheapest",
        "spark.streamon.learning.enabled" -> "false"
      ) {
        sameAsStock(query, codegen = Seq(true))
        val ours = spark.sql(query)
        withConf("spark.streamon.filter.mode" -> "always")(ours.collect())
        assert(adaptiveFilters(ours).map(_.metrics("reevaluatedRows").value).sum > 0 == disturbs, errors)
      }
  }

  test("rows on which many conjuncts raise out of turn are few: each guard is learned once") {
    // Each conjunct but the first divides by zero on the rows that those before it drop.
    val guarded = (1 to 5).map(i => s"100 / (c - $i) + $i <> 1000")
    val guards = (1 to 5).map(i => s"c <> $i")
    val where =
      guards.zip(guarded).flatMap { case (guard, division) => Seq(guard, division) }.mkString(" AND ")
    val query = s"SELECT id FROM (SELECT explode(sequence(1, 200)) k, id, c FROM gaps) WHERE $where"
    for (codegen <- Seq("true", "false"))
      withConf("spark.streamon.filter.mode" -> "always", "spark.sql.codegen.wholeStage" -> codegen) {
        val ours = spark.sql(query)
        assert(rows(ours) == stock(query))
        val again = theAdaptiveFilter(ours).metrics("reevaluatedRows").value
        info(s"re-evaluated: $again")
        assert(again <= 10 * 9 / 2)
      }
  }
}
