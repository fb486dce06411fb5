package org.streamon.spark.joins

import org.scalatest.Assertions
import org.streamon.spark.SparkSuite

/** Streams in memory of a key `k` and a text `v`, and what queries of them come to. */
trait KeyedStreams extends StreamingJoins with Assertions { self: SparkSuite =>
  private lazy val session = spark
  import session.implicits._

  val three: Seq[String] = Seq("a", "b", "c")

  def streams(names: String*): Streams[(Int, String)] =
    new Streams[(Int, String)](session, names)((_, raw) => raw.toDF("k", "v"))

  /** Runs a query over two micro-batches of streams with these names: it has MJoins of so many inputs, and
    * the rows of Spark's batch join, which are so many at least.
    */
  def becomes(sql: String, names: Seq[String], inputs: Seq[Int], rows: Int): Unit = {
    val in = streams(names: _*)
    running(spark.sql(sql)) { runs =>
      for (n <- names) in.add(n, (1 to 4).map(k => (k % 3) -> s"$n$k"): _*)
      runs.settle()
      for (n <- names) in.add(n, (1 to 2).map(k => k -> s"$n$k"): _*)
      runs.settle()
      assert(runs.operators.map(_.children.size) == inputs, runs.operators.mkString("\n"))
      val expected = in.asTables(stock(sql))
      assert(runs.rows == expected)
      assert(expected.size >= rows)
    }
  }
}
