package org.streamon.spark

import org.scalatest.funsuite.AnyFunSuite

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
}
