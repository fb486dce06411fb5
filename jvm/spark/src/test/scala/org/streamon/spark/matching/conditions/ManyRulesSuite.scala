package org.streamon.spark.matching.conditions

import scala.util.Try

import org.apache.spark.sql.classic.SparkSession
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite

/** So many rules that several threads plan them: they mean what they mean to the thread of the call. */
class ManyRulesSuite extends AnyFunSuite with SparkSuite {
  private val many = 100

  /** With this, texts in double quotes are names of columns, and without it they are texts. */
  private val quoted = "spark.sql.ansi.doubleQuotedIdentifiers"

  private def newSession(conditions: Int => String, settings: (String, String)*): SparkSession = {
    val session = spark.newSession()
    import session.implicits._
    for ((key, value) <- settings) session.conf.set(key, value)
    session
      .range(many)
      .selectExpr("id" +: (0 until many).map(k => s"IF(id = $k, 'c$k', 'x') AS c$k"): _*)
      .createOrReplaceTempView("rows")
    (0 until many)
      .map(k => (f"r$k%03d", conditions(k)))
      .toDF("rule", "condition")
      .createOrReplaceTempView("rules")
    session
  }

  private def ofColumns(k: Int) = s"""id >= 0 AND "c$k" = 'c$k'"""
  private val sql = "SELECT id, rule FROM streamon_match(TABLE(rows), TABLE(rules), 'exploded')"

  /** Each rule holds of the row of its number. */
  private val one = (0 until many).map(k => s"[$k,${f"r$k%03d"}]").sorted

  test("the settings are those of the session of the call") {
    val session = newSession(ofColumns, "spark.sql.ansi.enabled" -> "true", quoted -> "true")
    assert(rows(session.sql(sql)) == one)
    // Here each rule compares two equal texts.
    val texts = newSession(ofColumns, "spark.sql.ansi.enabled" -> "true")
    assert(texts.sql(sql).count() == many.toLong * many)
  }

  test("in a view the settings are those that it was made with") {
    val session = newSession(ofColumns, "spark.sql.ansi.enabled" -> "true", quoted -> "true")
    // A view does not know of temporary views that are read while it is analyzed.
    session.table("rules").write.saveAsTable("many_rules")
    try {
      val ofTable = sql.replace("TABLE(rules)", "TABLE(many_rules)")
      session.sql(s"CREATE TEMPORARY VIEW matched AS $ofTable")
      session.conf.set(quoted, "false")
      assert(session.sql(ofTable).count() == many.toLong * many)
      assert(rows(session.table("matched")) == one)
    } finally session.sql("DROP TABLE many_rules"): Unit
  }

  test("functions are those of the session of the call") {
    val session = newSession(k => s"is_row(id, $k)")
    session.udf.register("is_row", (id: Long, k: Int) => id == k)
    assert(rows(session.sql(sql)) == one)
  }

  test("of several rules that are wrong the first is named") {
    val session = newSession(k => if (k % 40 == 27) "id >" else s"id = $k")
    val message = Try(session.sql(sql)).failed.get.getMessage
    assert(message.contains("r027") && !message.contains("r067"), message)
  }
}
