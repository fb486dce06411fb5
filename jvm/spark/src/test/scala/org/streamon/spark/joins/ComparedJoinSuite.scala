package org.streamon.spark.joins

import org.apache.spark.sql.AnalysisException
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, ScalaUDF}
import org.apache.spark.sql.execution.streaming.operators.stateful.join.StreamingSymmetricHashJoinExec
import org.apache.spark.sql.functions.{col, timestamp_seconds}
import org.streamon.spark.SparkSuite
import org.streamon.spark.execution.joins.MJoinExec
import org.streamon.spark.execution.state.Residuals
import org.apache.spark.sql.types.{BooleanType, IntegerType}
import org.scalatest.funsuite.AnyFunSuite

/** Joins of streams by conditions that are no equalities, which Spark itself has in batch queries only. */
class ComparedJoinSuite extends AnyFunSuite with SparkSuite with StreamingJoins {
  private lazy val session = spark
  import session.implicits._

  private val names = Seq("a", "b", "c")

  private def streams() = new Streams[(Int, String)](session, names)((_, raw) => raw.toDF("k", "v"))

  /** Three micro-batches with a restart between, the last of few rows: every row is in the state once. */
  private def equals(sql: String, least: Int): Runs = {
    val in = streams()
    running(spark.sql(sql)) { runs =>
      for ((size, batch) <- Seq(9, 7, 2).zipWithIndex) {
        for (n <- names) in.add(n, (1 to size).map(k => (k * (batch + 2) % 11) -> s"$n$k"): _*)
        if (batch == 1) runs.restart()
        runs.settle()
      }
      val expected = in.asTables(stock(sql))
      assert(runs.rows == expected)
      assert(expected.size >= least)
      assert(runs.operators.map(_.children.size) == Seq(3))
      val last = runs.progress.last
      val replicas = Option(last.customMetrics.get("mjoinReplicaRows")).fold(0L)(_.longValue)
      assert(last.numRowsTotal - replicas == 54)
      runs
    }
  }

  test("a range between two inputs, the third by a key") {
    val sql =
      "SELECT /*+ MJOIN */ a.v, b.v, c.v FROM a JOIN b ON a.k BETWEEN b.k - 1 AND b.k + 1 JOIN c ON b.k = c.k"
    equals(sql, 100)
  }

  test("nothing but ranges, and a condition over all three") {
    equals("SELECT /*+ MJOIN */ a.v, b.v, c.v FROM a JOIN b ON a.k < b.k - 3 JOIN c ON b.k < c.k - 1", 50)
    equals("SELECT /*+ MJOIN */ a.v, b.v, c.v FROM a, b, c WHERE a.k + b.k + c.k = 12", 50)
  }

  test("a function of the user's between two inputs, whatever partitions and memory there are") {
    spark.udf.register("near", (x: Int, y: Int) => math.abs(x - y) <= 1)
    val sql = "SELECT /*+ MJOIN */ a.v, b.v, c.v FROM a JOIN b ON near(a.k, b.k) JOIN c ON b.k = c.k"
    for (partitions <- Seq("1", "5"); memory <- Seq("64m", "0"); caching <- Seq("off", "global"))
      withConf(
        "spark.sql.shuffle.partitions" -> partitions,
        "spark.streamon.executor.memory" -> memory,
        "spark.streamon.join.caching" -> caching,
        "spark.streamon.join.caching.forced" -> "0+1"
      )(equals(sql, 100))
  }

  test("EXPLAIN says what is compared, and nothing is where a key connects all inputs") {
    streams()
    def shown(on: String) = withConf(rocksdb) {
      execution(spark.sql(s"SELECT /*+ MJOIN */ * FROM a, b, c WHERE $on")).sparkPlan.toString
    }
    assert(shown("a.k < b.k AND b.k = c.k").contains("inputs 0, 1 compared"))
    assert(!shown("a.k < b.k AND b.k = c.k AND a.k = c.k").contains("compared"))
  }

  test("inputs that nothing joins stay with Spark, which has no join for them; why_not says why") {
    streams()
    withConf(rocksdb) {
      for (on <- Seq("true", "a.k < 3")) {
        val frame = spark.sql(s"SELECT /*+ MJOIN */ * FROM a JOIN b ON $on JOIN c ON b.k = c.k")
        assert(whyNot(frame).map(_.refusal.code).contains("NOT_CONNECTED"), on)
        assert(
          intercept[AnalysisException](execution(frame).sparkPlan).getMessage.contains("equality predicate")
        )
      }
    }
  }

  test("where Spark has joins for all of a tree, and keys do not connect it, they stay") {
    streams()
    withConf(rocksdb) {
      for (on <- Seq("a.k + b.k = c.k", "coalesce(a.v, b.v) = c.v")) {
        val frame = spark.sql(s"SELECT /*+ MJOIN */ * FROM a JOIN b ON a.k = b.k JOIN c ON $on")
        assert(whyNot(frame).map(_.refusal.code).contains("NOT_CONNECTED"), on)
        assert(execution(frame).sparkPlan.collect { case j: StreamingSymmetricHashJoinExec => j }.nonEmpty)
      }
    }
  }

  test("of conditions between two keyed parts one is enough, and a hint that names some takes no others") {
    streams()
    withConf(rocksdb) {
      def shape(sql: String) = execution(spark.sql(sql)).sparkPlan.collectFirst { case j: MJoinExec => j }.get
      val two = shape("SELECT /*+ MJOIN */ * FROM a, b, c WHERE a.k < b.k AND a.v < c.v AND b.k = c.k")
      assert(two.spec.keys.map(_.map(_.size)) == Seq(Seq(0, 1, 1), Seq(1, 1, 0)))
      assert(intercept[AnalysisException] {
        shape("SELECT /*+ MJOIN(b, c) */ * FROM a, b, c WHERE b.k = c.k AND a.k + b.k + c.k = 12")
      }.getMessage.contains("equality predicate"))
    }
  }

  test("two parts, each with a key of its own, joined by a range") {
    val names = Seq("a", "b", "c", "d")
    val sql =
      "SELECT /*+ MJOIN */ a.v, b.v, c.v, d.v FROM a, b, c, d WHERE a.k = b.k AND c.k = d.k AND b.k < c.k - 3"
    for (partitions <- Seq("1", "5"); memory <- Seq("64m", "0"))
      withConf("spark.sql.shuffle.partitions" -> partitions, "spark.streamon.executor.memory" -> memory) {
        val in = new Streams[(Int, String)](session, names)((_, raw) => raw.toDF("k", "v"))
        running(spark.sql(sql)) { runs =>
          for (_ <- 0 until 2) {
            for (n <- names) in.add(n, (1 to 8).map(k => k -> s"$n$k"): _*)
            runs.settle()
          }
          assert(runs.operators.map(_.children.size) == Seq(4))
          assert(runs.rows == in.asTables(stock(sql)))
          assert(runs.rows.size > 100)
        }
      }
  }

  test("a condition that alone joins two of three inputs is tried before the third, whatever it costs") {
    val columns = Vector.fill(3)(Seq(AttributeReference("k", IntegerType)()))
    val near = ScalaUDF((_: Int, _: Int) => true, BooleanType, columns.take(2).flatten)
    def needs(scope: Long)(compared: Set[Int]*) =
      new Residuals(Seq(near), Seq(scope), columns, compared).needs
    assert(needs(7L)() == Seq(7L) && needs(7L)(Set(1, 2)) == Seq(7L))
    assert(needs(7L)(Set(0, 1)) == Seq(3L, 7L))
    assert(needs(3L)() == Seq(3L), "nothing else is joined where it is written")
  }

  test("a range between event times bounds the state of both") {
    val in = new Streams[(Int, Int)](session, Seq("a", "b"))((_, raw) =>
      raw.select(col("_1").as("k"), timestamp_seconds(col("_2")).as("t")).withWatermark("t", "10 seconds")
    )
    val sql = "SELECT /*+ MJOIN */ a.k, b.k FROM a JOIN b ON " +
      "a.t BETWEEN b.t - INTERVAL 5 SECONDS AND b.t + INTERVAL 5 SECONDS"
    running(spark.sql(sql)) { runs =>
      in.add("a", 1 -> 10, 2 -> 14, 3 -> 30)
      in.add("b", 4 -> 12, 5 -> 31, 6 -> 90)
      runs.settle()
      assert(runs.rows == in.asTables(stock(sql)))
      assert(runs.rows.size == 3)
      in.add("a", 7 -> 91)
      runs.settle()
      // The watermark is 80: what is left are the rows of 90 and 91.
      assert(runs.progress.last.numRowsTotal == 2)
      assert(runs.rows == in.asTables(stock(sql)))
    }
  }
}
