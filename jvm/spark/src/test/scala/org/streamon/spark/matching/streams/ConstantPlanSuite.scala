package org.streamon.spark.matching.streams

import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.{InFolder, SparkSuite}

/** Which tables of rules need not be read again. */
class ConstantPlanSuite extends AnyFunSuite with SparkSuite with InFolder {
  private lazy val session: SparkSession = spark
  import session.implicits._

  private def isConstant(frame: DataFrame) = ConstantPlan(frame.queryExecution.analyzed)

  test("values of the program stay as they are") {
    assert(isConstant(Seq("a" -> "x > 1").toDF("rule", "condition")))
    assert(isConstant(spark.sql("SELECT 'a' AS rule, 'x > 1' AS condition")))
    val text = "SELECT explode(from_json('{\"a\": \"x > 1\"}', 'map<string,string>')) AS (rule, condition)"
    assert(isConstant(spark.sql(text)))
    assert(isConstant(spark.range(3).selectExpr("CAST(id AS STRING) AS rule")))
    assert(isConstant(Seq("2024-02-29").toDF("day").selectExpr("CAST(day AS DATE) IS NULL AS rule")))
    assert(isConstant(spark.range(3).selectExpr("CAST(CAST('2024-02-29' AS DATE) AS STRING) AS rule")))
  }

  test("what is read or computed anew may change") {
    inFolder { folder =>
      val files = s"$folder/rules"
      Seq("a" -> "x > 1").toDF("rule", "condition").write.parquet(files)
      assert(!isConstant(spark.read.parquet(files)))
      assert(
        !isConstant(spark.sparkContext.parallelize(Seq("a")).flatMap(_ => Nil: Seq[String]).toDF("rule"))
      )
      assert(!isConstant(Seq("a").toDS().flatMap(_ => Nil: Seq[String]).toDF("rule")))
      assert(!isConstant(spark.range(3).selectExpr("CAST(rand() AS STRING) AS rule")))
      assert(!isConstant(spark.range(3).selectExpr("CAST(now() AS STRING) AS rule")))
      for (
        text <- Seq(
          "CAST('today' AS DATE)",
          "CAST('today UTC' AS DATE)",
          "CAST(left('today', 5) AS DATE)",
          "to_timestamp('now')",
          "try_cast('now' AS TIMESTAMP_NTZ)"
        )
      )
        assert(!isConstant(spark.range(3).selectExpr(s"CAST($text AS STRING) AS rule")), text)
      spark.read.parquet(files).createOrReplaceTempView("rules")
      assert(!isConstant(spark.range(3).where("id < (SELECT count(*) FROM rules)").toDF()))
    }
  }
}
