package org.streamon.spark.matching.conditions

import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite

/** Which tables of rules need no query, and that their rules are those that a query gives. */
class RowsInPlanSuite extends AnyFunSuite with SparkSuite {
  private lazy val session: SparkSession = spark
  import session.implicits._

  private def isInPlan(table: DataFrame) = {
    val plan = table.queryExecution.analyzed
    RowsInPlan(plan, Seq("rule", "condition").map(name => plan.output.find(_.name == name).get)).isDefined
  }

  private def read(table: DataFrame) =
    RuleRows.read(session, table.queryExecution.analyzed).rules.map(r => (r.rule, r.condition))

  private def queried(table: DataFrame) =
    table.select("rule", "condition").collect().toSeq.map(r => (r.getString(0), r.getString(1))).sorted

  private lazy val local = Seq((1, "a", "x > 1"), (2, "b", "y = 2")).toDF("id", "rule", "condition")

  test("rows that are in the plan as they are need no query") {
    local.createOrReplaceTempView("rules_in_plan")
    session.sql("CREATE OR REPLACE TEMPORARY VIEW renamed AS SELECT condition c, rule r FROM rules_in_plan")
    val tables = Seq(
      local,
      session.table("rules_in_plan"),
      session.sql("SELECT c AS condition, x.r AS rule FROM renamed AS x"),
      session.sql("SELECT *, c AS condition, r AS rule FROM (SELECT * FROM renamed)"),
      session.sql("SELECT * FROM VALUES ('x > 1', 'a'), ('y = 2', 'b') AS t(condition, rule)")
    )
    for (table <- tables) {
      assert(isInPlan(table), table.queryExecution.analyzed)
      assert(read(table) == queried(table), table.queryExecution.analyzed)
    }
  }

  test("what is computed or filtered is left to a query") {
    val tables = Seq(
      local.selectExpr("rule", "concat(condition, '') condition"),
      local.selectExpr("rule", "condition", "length(rule) AS other"),
      local.where("id > 1"),
      local.limit(1),
      local.union(local.selectExpr("id", "'c' || rule", "condition")),
      session.sql("SELECT 'a' AS rule, 'd = CURRENT_DATE' AS condition, 1 DIV 0 AS other")
    )
    for (table <- tables) assert(read(table) == queried(table), table.queryExecution.analyzed)
    assert(tables.map(isInPlan) == Seq(false, true, false, false, false, false))
  }
}
