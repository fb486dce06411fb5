package org.streamon.spark.sharing

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.streamon.spark.SparkSuite
import org.streamon.spark.logical.MatchRules

/** Runs queries whose conditions are shared. */
trait SharedQueries { self: SparkSuite =>
  private val share = "spark.streamon.match.share"

  /** With Spark's own checks of each plan.
    *
    * @param from
    *   the fewest conditions that are shared, however cheap they are
    */
  def sharing[T](from: Int)(body: => T): T = withConf(
    share -> "auto",
    s"$share.minRules" -> from.toString,
    s"$share.minCost" -> "0",
    "spark.sql.planChangeValidation" -> "true"
  )(body)

  /** Makes the view `t`. */
  def table(): Unit = spark
    .range(0, 1000, 1, 3)
    .selectExpr(
      "CAST(id AS INT) AS id",
      "CAST(id % 10 AS INT) AS x",
      "IF(id % 7 = 0, NULL, CAST(id % 5 AS INT)) AS y",
      "CAST(id % 3 AS STRING) AS s",
      "CAST(id AS DECIMAL(20, 2)) AS d",
      "CAST(id % 4 AS DOUBLE) AS f"
    )
    .localCheckpoint()
    .createOrReplaceTempView("t")

  /** A branch for each condition over `table`. */
  def union(conditions: String*): String =
    branches(conditions)((c, k) => s"SELECT 'r$k' AS rule, $k AS k, id FROM t WHERE $c")

  /** A UNION ALL of a branch for each condition, by the condition and its number. */
  def branches(conditions: Seq[String])(branch: (String, Int) => String): String =
    conditions.zipWithIndex.map { case (c, k) => branch(c, k) }.mkString(" UNION ALL ")

  val four = Seq("x > 8 AND y = 1", "x = 2", "s = '1' AND id < 20", "y IS NULL AND x < 3")

  /** Why conditions of a query are not shared. */
  def codes(sql: String): Seq[String] = whyNot(spark.sql(sql)).map(_.refusal.code).filterNot(Ordinary)

  /** Of filters. */
  private val Ordinary = Set("FEWER_THAN_TWO_CONJUNCTS", "NOTHING_EXPENSIVE")

  def matchesOf(plan: LogicalPlan): Seq[MatchRules] = plan.collectWithSubqueries { case m: MatchRules => m }

  def matchesOf(frame: DataFrame): Seq[MatchRules] = matchesOf(frame.queryExecution.optimizedPlan)

  /** The rows of a query that shares, which are those of stock Spark in the same columns. */
  def shared(sql: String, operators: Int = 1): Seq[String] = {
    val expected = withConf("spark.streamon.enabled" -> "false") {
      val frame = spark.sql(sql)
      (frame.schema, rows(frame))
    }
    val frame = spark.sql(sql)
    val found = (frame.schema, rows(frame))
    val plan = frame.queryExecution
    assert(matchesOf(frame).size == operators, s"$sql\n${plan.optimizedPlan}")
    assert(found == expected, s"$sql\n$plan")
    // What stands above relies on the columns.
    val (wanted, output) = (plan.analyzed.output, plan.optimizedPlan.output)
    assert(output.map(_.dataType) == wanted.map(_.dataType), sql)
    assert(
      output.zip(wanted).forall { case (o, w) => o.exprId == w.exprId && (w.nullable || !o.nullable) },
      sql
    )
    found._2
  }
}
