package org.streamon.spark.routes

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.execution.streaming.runtime.MemoryStream
import org.apache.spark.sql.streaming.StreamingQuery
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.StreamingFilters

/** Routes in Structured Streaming: they go from micro-batch to micro-batch, and follow the kinds of rows. */
class RoutedStreamSuite extends AnyFunSuite with StreamingFilters {
  private lazy val session = spark
  import session.implicits._

  private val where =
    (0 until 3).map(k => s"sha2(concat(s, '$k'), 256) < if(kind = '$k', '1a', 'e6')").mkString(" AND ")
  private val hint = Seq("algorithm=query-mesh", "profilingProbability=0.5", "profilingBudget=1")
  private val batch = 8000

  /** Rows of three kinds, or of one. */
  private def batchOf(n: Int, kinds: Int): Seq[(String, String)] =
    (n * batch until (n + 1) * batch).map(i => (s"s$i", s"${i % kinds}"))

  private def filtered(stream: MemoryStream[(String, String)]): DataFrame =
    stream.toDF().toDF("s", "kind").where(where).hint("adaptive_filter", hint: _*)

  private def expected(sent: Seq[(String, String)]): Seq[String] =
    withConf("spark.streamon.enabled" -> "false")(rows(sent.toDF("s", "kind").where(where)))

  private def routes(query: StreamingQuery): Seq[Row] =
    spark.sql(s"select * from streamon_routes('${query.id}') order by route").collect().toSeq

  test("routes are learned, carried from micro-batch to micro-batch, and dropped when rows are of one kind") {
    val stream = MemoryStream[(String, String)](session)
    running(filtered(stream)) { query =>
      var sent = Vector.empty[(String, String)]
      def next(kinds: Int): Unit = {
        val rows = batchOf(sent.size / batch, kinds)
        sent ++= rows
        stream.addData(rows: _*)
        query.processAllAvailable()
      }
      def until(count: Int, kinds: Int): Unit =
        assert(
          (1 to 60).exists { _ => next(kinds); routes(query).size == count },
          routes(query).mkString("\n")
        )

      until(count = 3, kinds = 3)
      next(kinds = 3)
      val filter = filters(query).head
      val evaluations = filter.conjuncts.indices.map(q => filter.metrics(s"evaluations$q").value).sum
      val profiled = filter.metrics("profiledRows").value
      assert(evaluations - 3 * profiled < 1.35 * (batch - profiled), "a later micro-batch begins with routes")

      until(count = 1, kinds = 1)
      assert(routes(query).map(_.getAs[String]("rows")) == Seq("all rows"))
      assert(rows(spark.table(query.name)) == expected(sent))
    }
  }

  test("a stream whose routes change under it gives the rows of stock Spark") {
    val orders = Seq("'0,1,2'", "CASE WHEN _2 = '1' THEN '1,0,2' ELSE '0,2,1' END", "'2,1,0'")
    val stream = MemoryStream[(String, String)](session)
    running(filtered(stream)) { query =>
      for ((forced, n) <- (orders ++ orders).zipWithIndex)
        withConf("spark.streamon.filter.routes.forced" -> forced) {
          stream.addData(batchOf(n, 3): _*)
          query.processAllAvailable()
        }
      assert(rows(spark.table(query.name)) == expected((0 until 6).flatMap(batchOf(_, 3))))
    }
  }
}
