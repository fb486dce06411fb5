package org.streamon.spark.matching.conditions

import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.{InFolder, SparkSuite}

/** Which tables of rules need no query, and that they have the rows that a query gives. */
class RowsInPlanSuite extends AnyFunSuite with SparkSuite with InFolder {
  private lazy val session: SparkSession = spark
  import session.implicits._

  private def inPlan(frame: DataFrame): Option[Seq[(Option[String], Option[String])]] =
    RowsInPlan(frame.queryExecution.analyzed).map(_.map { row =>
      def text(k: Int) = Option(row.getUTF8String(k)).map(_.toString)
      (text(0), text(1))
    })

  private def queried(frame: DataFrame) =
    frame.collect().toSeq.map(row => (Option(row.getString(0)), Option(row.getString(1))))

  private def dictionary(json: String) =
    session.sql(s"SELECT explode(from_json('$json', 'map<string,string>')) AS (rule, condition)")

  test("rows of the program need no query") {
    Seq("a" -> "x > 1", "b" -> null).toDF("rule", "condition").createOrReplaceTempView("rules_in_plan")
    session.sql("CREATE OR REPLACE TEMPORARY VIEW renamed AS SELECT condition c, rule r FROM rules_in_plan")
    val tables = Seq(
      session.table("rules_in_plan"),
      session.table("renamed").selectExpr("concat(r, '1') rule", "coalesce(c, 'y = 2') condition"),
      session.table("renamed").selectExpr("r rule", "c condition").where("condition IS NOT NULL"),
      session.sql("SELECT * FROM VALUES ('a', 'x > 1'), (NULL, 'y = 2') AS t(rule, condition)"),
      session.sql("SELECT 'a' AS rule, 'x > 1' AS condition"),
      session.sql("SELECT inline(array(struct('a', 'x > 1'), struct('b', 'y = 2'))) AS (rule, condition)"),
      dictionary("""{"a": "x > 1", "b": "y = 2"}"""),
      dictionary("{}")
    )
    for (table <- tables) assert(inPlan(table).contains(queried(table)), table.queryExecution.analyzed)
  }

  test("other rows do") {
    inFolder { folder =>
      val files = s"$folder/rules"
      val rules = Seq("a" -> "x > 1").toDF("rule", "condition")
      rules.write.parquet(files)
      assert(inPlan(session.read.parquet(files)).isEmpty)
      assert(inPlan(rules.where("rule < (SELECT max(id) FROM range(9))")).isEmpty)
      assert(inPlan(rules.groupBy("rule").agg(Map("condition" -> "max"))).isEmpty)
    }
  }

  test("an error that a row raises is that of a query") {
    val table =
      session.sql("SELECT rule, CAST(1 DIV x AS STRING) condition FROM VALUES ('a', 0) AS t(rule, x)")
    def message(read: => Any) = intercept[Exception](read: Unit).getMessage
    assert(message(inPlan(table)) == message(queried(table)))
  }
}
