package org.streamon.spark.sharing

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.streamon.spark.SparkSuite
import org.streamon.spark.logical.MatchRules

/** Runs queries whose conditions are shared. */
trait SharedQueries { self: SparkSuite =>
  private val least = "spark.streamon.match.share.minRules"

  def sharing[T](from: Int)(body: => T): T =
    withConf("spark.streamon.match.share" -> "auto", least -> from.toString)(body)

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
