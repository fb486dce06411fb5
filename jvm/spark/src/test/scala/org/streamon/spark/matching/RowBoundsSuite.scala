package org.streamon.spark.matching

import java.sql.Date

import org.apache.spark.sql.catalyst.plans.logical.Filter
import org.apache.spark.sql.streaming.Trigger
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.InFolder

/** What all rules ask of a column, as a filter of the rows. */
class RowBoundsSuite extends AnyFunSuite with RulesView with InFolder {
  private lazy val session = spark
  import session.implicits._

  private def table() = (0 until 10)
    .map(k => (Option(k), k.toString, BigDecimal(k), k / 2.0, k > 3, Date.valueOf(f"2026-01-${k + 1}%02d")))
    .toDF("x", "s", "d", "f", "b", "day")

  /** The filters below the rules. */
  private def bounds(conditions: String*): String = boundsOver("SELECT * FROM t", conditions)

  private def boundsOver(query: String, conditions: Seq[String]): String = {
    table().createOrReplaceTempView("t")
    rules(conditions.zipWithIndex.map { case (c, k) => s"r$k" -> c }: _*)
    val frame = spark.sql(s"SELECT x, rules FROM streamon_match(TABLE($query), TABLE(rules))")
    val alone =
      conditions.map(c => spark.sql(s"SELECT x FROM ($query) AS t WHERE ($c)").as[Int].collect().toSet)
    assert(frame.select("x").as[Int].collect().toSet == alone.reduce(_ ++ _))
    val filters = frame.queryExecution.analyzed.collect { case f: Filter => f.condition.sql }
    filters.map(_.replaceAll("\\w+\\.(?=\\w)(?!\\d)", "")).mkString("; ")
  }

  test("ranges, values, and columns that only some rules ask") {
    assert(bounds("x < 4", "x BETWEEN 2 AND 6 AND s = '3'") == "(x <= 6)")
    assert(bounds("x > 4 AND x < 8", "x = 6") == "((x >= 4) AND (x <= 8))")
    assert(bounds("x IN (1, 2)", "x = 7 OR x = 8") == "(x IN (1, 2, 7, 8))")
    assert(bounds("x > 4", "x < 3 AND s = '2'") == "")
    assert(bounds("x > 4", "s = '2'") == "")
    assert(bounds("x > 4", "true") == "")
    assert(bounds("x = 4", "false") == "(x IN (4))")
    assert(bounds("x = 4 OR s = '1'", "x = 5") == "")
    assert(bounds("x = 4 OR (x = 6 AND s = '6')", "x = 5") == "(x IN (4, 6, 5))")
    assert(bounds("x IS NULL", "x = 5") == "")
    assert(bounds("x IS NOT NULL", "x = 5") == "")
    assert(bounds("x <=> 3", "x = 5") == "(x IN (3, 5))")
    assert(bounds((0 until 150).map(k => s"x = $k"): _*) == "((x >= 0) AND (x <= 149))")
  }

  test("types") {
    assert(bounds("s LIKE 'a%'", "s = '3'") == "((s >= '3') AND (s <= 'b'))")
    assert(bounds("d > 2.5", "d = 7") == "(d >= 2.500000000000000000BD)")
    assert(
      bounds("day = DATE'2026-01-03'", "day IN (DATE'2026-01-05')") ==
        "(day IN (DATE '2026-01-03', DATE '2026-01-05'))"
    )
    assert(bounds("b", "b = true") == "(b IN (true))")
    // Several floating-point numbers may be one key.
    assert(bounds("f = 1.0", "f = 2.0") == "")
  }

  test("a column that may raise an error has no bound") {
    val query = "SELECT x, 10 / (x - 5) AS q FROM t"
    // It would evaluate the column of all rows while the query is planned.
    withConf(
      "spark.sql.optimizer.excludedRules" -> "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation"
    )(assert(boundsOver(query, Seq("x <> 5 AND q > 2", "x <> 5 AND q < -2")) == ""))
  }

  test("a watermark sees the rows of which no rule holds") {
    inFolder { folder =>
      rules("r" -> "x > 100")
      spark.range(10).selectExpr("id AS x", "timestamp_seconds(id * 60) AS t").write.parquet(s"$folder/in")
      spark.readStream
        .schema("x LONG, t TIMESTAMP")
        .parquet(s"$folder/in")
        .withWatermark("t", "1 minute")
        .createOrReplaceTempView("events")
      val query = spark
        .sql("SELECT x, t, rules FROM streamon_match(TABLE(events), TABLE(rules))")
        .groupBy("t")
        .count()
        .writeStream
        .format("noop")
        .option("checkpointLocation", s"$folder/checkpoint")
        .trigger(Trigger.AvailableNow)
        .start()
      try query.awaitTermination()
      finally query.stop()
      assert(query.recentProgress.map(_.eventTime.get("watermark")).last == "1970-01-01T00:08:00.000Z")
    }
  }
}
