package org.streamon.spark.cluster

import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.duration.DurationInt
import scala.concurrent.{Await, Future}

import org.apache.spark.sql.execution.streaming.runtime.MemoryStream
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

  for (disturbance <- Seq(Kill, Fail))
    test(s"the rules of a stream change while a task is $disturbance") {
      val input = MemoryStream[Int](spark)
      input.toDF().toDF("x").createOrReplaceTempView("numbers")
      Seq("small" -> "x < 10").toDF("rule", "condition").createOrReplaceTempView("rules")
      val query = spark
        .sql("SELECT x, rule, gate(x) g FROM streamon_match(TABLE(numbers), TABLE(rules), 'exploded')")
        .writeStream
        .format("memory")
        .queryName("found")
        .start()
      def add(rule: String, condition: String): Unit =
        spark.sql(s"SELECT * FROM streamon_add_rule('${query.id}', '$rule', '$condition')")
      def push(numbers: Int*): Unit = {
        input.addData(numbers: _*)
        query.processAllAvailable()
      }
      try {
        push(1, 200)
        add("big", "x > 100")
        lazy val held = Future(push(2, 300))
        disturb(disturbance, Gate.Row)(held: Unit) {
          add("even", "x % 2 = 0")
          Await.ready(held, 2.minutes): Unit
        }
        Await.result(held, 2.minutes)
        push(3, 4)
      } finally query.stop()
      val expected = Seq("[1,small]", "[2,small]", "[3,small]", "[300,big]", "[4,even]", "[4,small]")
      assert(rows(spark.sql("SELECT x, rule FROM found")) == expected)
    }
}
