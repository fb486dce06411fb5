package org.streamon.spark.cluster

import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.duration.DurationInt
import scala.concurrent.{Await, Future}

import org.scalatest.funsuite.AnyFunSuite

/** `streamon_match` on a cluster whose executors are killed, decommissioned, held and made to fail meanwhile.
  */
class ClusterMatchSuite extends AnyFunSuite with Disturbances {
  private lazy val session = spark
  import session.implicits._

  private val sql =
    """SELECT id, rule, gate(CAST(id % 100 AS INT)) g FROM streamon_match(
      |  TABLE(SELECT id, CAST(id % 97 AS STRING) s, CAST(id AS DECIMAL(20, 2)) d FROM range(0, 60000, 1, 6)),
      |  TABLE(rules), 'exploded')""".stripMargin

  /** Of every kind of key, and one with a residual. */
  private def rules(): Unit =
    ((0 until 40).map(i => s"r$i" -> s"s = '$i' AND id BETWEEN ${i * 1000} AND ${i * 1000 + 9000}") ++ Seq(
      "decimal" -> "d < 20.5 AND s LIKE '1%'",
      "residual" -> "id > 59000 AND length(s) + id % 5 = 6"
    )).toDF("rule", "condition").createOrReplaceTempView("rules")

  for (disturbance <- disturbances)
    test(s"a task that matches rules is $disturbance") {
      rules()
      val frame = spark.sql(sql)
      lazy val found = Future(rows(frame))
      disturb(disturbance, Gate.Row)(found: Unit)(Await.ready(found, 2.minutes): Unit)
      val expected = stock(sql)
      assert(expected.size > 300)
      assert(Await.result(found, 2.minutes) == expected)
    }
}
