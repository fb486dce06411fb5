package org.streamon.spark.matching.conditions

import scala.util.Try

import org.apache.spark.sql.catalyst.QueryPlanningTracker
import org.apache.spark.sql.catalyst.expressions.{Alias, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, LogicalPlan, Project}
import org.apache.spark.sql.internal.SQLConf
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite
import org.streamon.spark.selections.SimplifyConditions

/** Conditions that are resolved without the analyzer, beside those that are resolved by it. */
class ResolveComparisonsSuite extends AnyFunSuite with SparkSuite {
  private val types = Seq(
    "byte TINYINT",
    "short SMALLINT",
    "int INT",
    "long BIGINT",
    "float FLOAT",
    "double DOUBLE",
    "dec DECIMAL(10, 2)",
    "text STRING",
    "ci STRING COLLATE UTF8_LCASE",
    "padded CHAR(5)",
    "day DATE",
    "at TIMESTAMP",
    "bool BOOLEAN",
    "bin BINARY",
    "one STRUCT<part: INT>"
  )
  private val constants = Seq(
    "1Y",
    "-2S",
    "3",
    "400000",
    "5L",
    "6.5",
    "7.25BD",
    "8.5F",
    "9e2",
    "'a'",
    "'2026-01-01'",
    "DATE'2026-01-01'",
    "TIMESTAMP'2026-01-01 00:00:00'",
    "true",
    "X'0A'",
    "NULL"
  )

  private def columns = {
    spark.sql(s"CREATE TABLE IF NOT EXISTS compared (${types.mkString(", ")}) USING parquet")
    spark.table("compared").queryExecution.analyzed.output
  }

  private val anyBetween = Seq("int BETWEEN 1 AND 2")

  private def conditions(column: String, a: String, b: String): Seq[String] = Seq(
    s"$column = $a",
    s"$a <= $column",
    s"$column <=> $a",
    s"$column <> $a",
    s"$column > $a AND NOT $column > $b",
    s"$column < $a OR $column IS NULL",
    s"$column IN ($a, $b)",
    s"$column BETWEEN $a AND $b",
    s"$column NOT BETWEEN $a AND $b"
  )

  test("what is resolved without the analyzer is what the analyzer makes of it, for all types") {
    for (isAnsi <- Seq(true, false)) withConf(SQLConf.ANSI_ENABLED.key -> isAnsi.toString) {
      val output = columns
      val row = LocalRelation(output)
      val comparisons = new ResolveComparisons(new Analysis(spark, output), anyBetween)
      def analyzed(parsed: Expression): Try[Expression] = {
        val plan: LogicalPlan = Project(Seq(Alias(parsed, "condition")()), row)
        Try(spark.sessionState.analyzer.executeAndCheck(plan, new QueryPlanningTracker))
          .map(_.expressions.head.children.head)
      }
      def simplified(e: Expression) = SimplifyConditions(Seq(e)).conditions.head.canonicalized
      var direct = 0
      val all = for {
        column <- output.map(_.name)
        a <- constants
        text <- conditions(column, a, if (a == constants.last) "3" else a) ++
          conditions(column, a, if (a.exists(_.isDigit)) "1Y" else "'b'").takeRight(3) ++
          Seq(s"$column IS NOT NULL", s"compared.$column = $a", column)
      } yield text
      for (text <- all) {
        val parsed = spark.sessionState.sqlParser.parseExpression(text)
        comparisons(parsed).foreach { found =>
          direct += 1
          val expected = analyzed(parsed)
          assert(expected.isSuccess, text)
          assert(simplified(found) == simplified(expected.get), text)
        }
      }
      info(s"$direct of ${all.size} conditions, ANSI $isAnsi")
      assert(direct > all.size / 8)
    }
  }

  test("what needs a cast of the column, a collation, padding, or is unknown is for the analyzer") {
    val comparisons = new ResolveComparisons(new Analysis(spark, columns), Nil)
    val others = Seq(
      "short = 400000",
      "int = 5L",
      "dec > 1",
      "float > 0.5",
      "day > '2026-01-01'",
      "ci = 'a'",
      "padded = 'a'",
      "int = NULL",
      "int IN (1, NULL)",
      "one.part = 1",
      "missing = 1",
      "int + 1 = 2",
      "int = long",
      "int",
      "abs(int) > 1"
    )
    for (text <- others)
      assert(comparisons(spark.sessionState.sqlParser.parseExpression(text)).isEmpty, text)
  }

  test("BETWEEN is for the analyzer where a user has put a function in its place") {
    val between = spark.sessionState.sqlParser.parseExpression(anyBetween.head)
    val output = columns
    assert(new ResolveComparisons(new Analysis(spark, output), anyBetween)(between).nonEmpty)
    val session = spark.newSession()
    session.udf.register("between", (_: Int, _: Int, _: Int) => true)
    val isReplaced = session.sql("SELECT 5 BETWEEN 1 AND 2").head().getBoolean(0)
    assert(new ResolveComparisons(new Analysis(session, output), anyBetween)(between).isEmpty == isReplaced)
  }
}
