package org.streamon.spark.matching

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.runtime.MemoryStream
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.InFolder

/** `streamon_match` over streams. */
class StreamingMatchSuite extends AnyFunSuite with RulesView with InFolder {
  private lazy val session: SparkSession = spark
  import session.implicits._

  test("each micro-batch is matched, and a restarted query goes on") {
    inFolder { folder =>
      val input = MemoryStream[(Int, Option[String])](spark)
      input.toDF().toDF("x", "s").createOrReplaceTempView("events")
      rules("small" -> "x < 10", "a" -> "s LIKE 'a%'", "odd" -> "x % 2 = 1 AND s IS NULL")
      val found = scala.collection.mutable.Map.empty[Long, Seq[String]]
      def run(): Unit = {
        val query = spark
          .sql("SELECT x, rule FROM streamon_match(TABLE(events), TABLE(rules), 'exploded')")
          .writeStream
          .foreachBatch((batch: org.apache.spark.sql.Dataset[org.apache.spark.sql.Row], id: Long) =>
            found(id) = batch.collect().map(_.toString).toSeq.sorted
          )
          .option("checkpointLocation", folder.toString)
          .start()
        try query.processAllAvailable()
        finally query.stop()
      }
      input.addData((1, Some("abc")), (50, Some("b")))
      run()
      input.addData((77, None), (3, Some("x")))
      run()
      assert(found == Map(0L -> Seq("[1,a]", "[1,small]"), 1L -> Seq("[3,small]", "[77,odd]")))
    }
  }

  test("the clock of a rule is that of each micro-batch") {
    val input = MemoryStream[Int](spark)
    input.toDF().toDF("x").createOrReplaceTempView("events")
    rules(
      "now" -> "current_timestamp() > TIMESTAMP'2020-01-01 00:00:00' AND x > 0",
      "never" -> "current_date() IS NULL"
    )
    val query = spark
      .sql("SELECT x, rules FROM streamon_match(TABLE(events), TABLE(rules))")
      .writeStream
      .format("memory")
      .queryName("clocked")
      .start()
    try {
      input.addData(1, 0)
      query.processAllAvailable()
    } finally query.stop()
    assert(rows(spark.table("clocked")) == Seq("[1,ArraySeq(now)]"))
  }
}
