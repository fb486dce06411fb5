package org.streamon.spark

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.joins.{StreamingJoins, Streams}

/** Timestamps in nanoseconds, a preview of Spark 4.3, in joins and filters. */
class NanosecondSuite extends AnyFunSuite with SparkSuite with StreamingJoins {
  private lazy val session = spark
  import session.implicits._

  private val enabled = "spark.sql.timestampNanosTypes.enabled" -> "true"
  private val names = Seq("a", "b", "c")

  /** Two times that differ in their last digit, as far as `digit` goes. */
  private def times(digit: Int) =
    s"2026-01-01 00:00:00.12345678$digit" -> s"2026-01-01 00:00:0$digit.000000001"

  test("joins by them and conditions on them give the rows of Spark's batch join") {
    // By one key; and by two, where rows are hashed to the cells of a hypercube.
    gives("a.k = b.k JOIN c ON b.k = c.k AND c.t >= a.t")
    gives("a.k = b.k JOIN c ON b.t = c.t AND c.k >= a.k")
  }

  private def gives(on: String): Unit = withConf(enabled) {
    val in = new Streams[(String, String)](session, names)((_, raw) =>
      raw.selectExpr("CAST(_1 AS TIMESTAMP_NTZ(9)) AS k", "CAST(_2 AS TIMESTAMP_LTZ(9)) AS t")
    )
    val sql = s"SELECT /*+ MJOIN */ a.k, a.t, b.t bt, c.k ck, c.t ct FROM a JOIN b ON $on"
    running(spark.sql(sql)) { runs =>
      for (batch <- 0 to 1) {
        for ((name, i) <- names.zipWithIndex) in.add(name, (0 to 4).map(d => times((d + i * batch) % 6)): _*)
        runs.settle()
        if (batch == 0) runs.restart()
      }
      assert(runs.operators.map(_.children.size) == Seq(3))
      val expected = in.asTables(stock(sql))
      assert(runs.rows.diff(expected).isEmpty && expected.diff(runs.rows).isEmpty)
      assert(expected.size > 10)
    }
  }

  test("a filter on them adapts") {
    withConf(enabled) {
      val sql = "SELECT /*+ ADAPTIVE_FILTER */ id FROM range(1000) WHERE CAST(concat('2026-01-01 00:00:00.', " +
        "lpad(id, 9, '0')) AS TIMESTAMP_NTZ(9)) > TIMESTAMP_NTZ'2026-01-01 00:00:00.000000123' AND id % 7 = 3"
      val frame = spark.sql(sql)
      theAdaptiveFilter(frame)
      assert(rows(frame) == stock(sql))
    }
  }
}
