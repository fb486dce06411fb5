package org.streamon.spark.joins

import org.apache.spark.sql.execution.streaming.runtime.MemoryStream
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite

/** An MJoin inside Structured Streaming: what it joins, how it is asked for, what it keeps. */
class MJoinSuite extends AnyFunSuite with SparkSuite with StreamingJoins {
  private lazy val session = spark
  import session.implicits._

  private final class Streams(names: String*) {
    val streams: Map[String, MemoryStream[(Int, String)]] =
      names.map(_ -> MemoryStream[(Int, String)](session)).toMap
    private var added = names.map(_ -> Vector.empty[(Int, String)]).toMap

    names.foreach(n => streams(n).toDF().toDF("k", "v").createOrReplaceTempView(n))

    def add(name: String, rows: (Int, String)*): Unit = {
      streams(name).addData(rows)
      added = added.updated(name, added(name) ++ rows)
    }

    /** What Spark's batch join makes of the same rows. */
    def batch(sql: String): Seq[String] = {
      added.foreach { case (n, rows) => rows.toDF("k", "v").createOrReplaceTempView(n) }
      try stock(sql)
      finally names.foreach(n => streams(n).toDF().toDF("k", "v").createOrReplaceTempView(n))
    }
  }

  private val threeWay =
    "SELECT /*+ MJOIN(a, b, c) */ a.k, a.v av, b.v bv, c.v cv FROM a JOIN b ON a.k = b.k JOIN c ON b.k = c.k"

  test("three streams give the rows of Spark's batch join, micro-batch by micro-batch and over a restart") {
    val streams = new Streams("a", "b", "c")
    running(spark.sql(threeWay)) { runs =>
      streams.add("a", 1 -> "a1", 2 -> "a2")
      streams.add("b", 1 -> "b1", 1 -> "b1'")
      runs.settle()
      assert(runs.rows.isEmpty)
      streams.add("c", 1 -> "c1", 3 -> "c3")
      runs.settle()
      assert(runs.operators.size == 1)
      assert(runs.rows == streams.batch(threeWay))
      assert(runs.rows.size == 2)
      runs.restart()
      streams.add("c", 1 -> "c1'")
      streams.add("a", 1 -> "a1'", 3 -> "a3")
      streams.add("b", 3 -> "b3")
      runs.settle()
      assert(runs.rows == streams.batch(threeWay))
      assert(runs.progress.last.numRowsTotal == 10)
    }
  }
}
