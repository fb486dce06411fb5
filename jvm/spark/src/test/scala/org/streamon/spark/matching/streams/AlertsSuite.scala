package org.streamon.spark.matching.streams

import org.apache.spark.sql.Row
import org.apache.spark.sql.streaming.StreamingQuery
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.{InFolder, SparkSuite}

/** Tests of queries with alerts, whose rules change while they run. */
private[streams] abstract class AlertsSuite extends AnyFunSuite with SparkSuite with InFolder {
  protected def withAlerts[T](body: Alerts => T): T = inFolder(folder => body(new Alerts(spark, folder)))

  protected def call(function: String, arguments: String*): Seq[Row] =
    spark.sql(s"SELECT * FROM $function(${arguments.map(a => s"'$a'").mkString(", ")})").collect().toSeq

  protected def add(query: StreamingQuery, rule: String, condition: String): Seq[Row] =
    call("streamon_add_rule", query.id.toString, rule, condition)

  protected def remove(query: StreamingQuery, rule: String): Seq[Row] =
    call("streamon_remove_rule", query.id.toString, rule)

  /** Each rule with its state. */
  protected def states(query: StreamingQuery): Seq[(String, String)] =
    call("streamon_rules", query.id.toString).map(row => row.getString(1) -> row.getString(3))

  /** Each with StreaMon and without. */
  protected def both(name: String)(body: Alerts => Unit): Unit = for (enabled <- Seq("true", "false"))
    test(s"$name, with spark.streamon.enabled=$enabled") {
      withConf("spark.streamon.enabled" -> enabled)(withAlerts(body))
    }
}
