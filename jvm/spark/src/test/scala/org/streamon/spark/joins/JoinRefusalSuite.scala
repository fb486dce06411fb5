package org.streamon.spark.joins

import org.apache.spark.sql.classic.Dataset
import org.streamon.spark.SparkSuite
import org.streamon.spark.planning.MJoin
import org.scalatest.funsuite.AnyFunSuite

/** What an MJoin leaves to Spark, whole or in part, and what it says of it. */
class JoinRefusalSuite extends AnyFunSuite with SparkSuite with KeyedStreams {
  private def refused(sql: String, code: String): Unit = {
    val frame = spark.sql(sql)
    val said = whyNot(frame)
    assert(said.exists(_.refusal.code == code), said)
  }

  test("a condition on the clock stays with Spark in every micro-batch") {
    for (now <- Seq("now()", "current_time()")) {
      val in = streams(three: _*)
      val sql = "SELECT /*+ MJOIN */ a.v av, b.v bv, c.v cv " +
        s"FROM a JOIN b ON a.k = b.k AND (a.v > b.v OR b.v < string($now)) JOIN c ON b.k = c.k"
      running(spark.sql(sql)) { runs =>
        for (batch <- 1 to 2) {
          for (name <- three) in.add(name, 1 -> s"$name$batch")
          runs.settle()
          val names = runs.query.lastProgress.stateOperators.map(_.operatorName).toSeq
          assert(names == Seq("symmetricHashJoin", "symmetricHashJoin"), now)
        }
      }
    }
  }

  test("what a projection between joins makes of the clock or of a table is that of when rows meet") {
    streams(three: _*)
    spark.range(3).createOrReplaceTempView("t")
    withConf(rocksdb, "spark.streamon.join.enabled" -> "true") {
      for (value <- Seq("unix_micros(now())", "(SELECT max(id) FROM t)", "a.k + 1")) {
        val sql = s"SELECT * FROM (SELECT a.k, b.v, $value AS x FROM a JOIN b ON a.k = b.k) ab " +
          "JOIN c ON ab.k = c.k"
        val inputs = execution(spark.sql(sql).asInstanceOf[Dataset[_]]).optimizedPlan
          .collect { case join: MJoin => join.inputs.size }
        assert(inputs == (if (value == "a.k + 1") Seq(3) else Nil), value)
      }
    }
  }

  test("what it cannot take stays with Spark, and says why") {
    streams(three: _*)
    spark.range(3).selectExpr("cast(id AS INT) k", "'t' v").createOrReplaceTempView("t")
    withConf(rocksdb) {
      refused("SELECT /*+ MJOIN */ * FROM a JOIN b ON a.k = b.k LEFT SEMI JOIN c ON a.k = c.k", "NOT_INNER")
      refused("SELECT /*+ MJOIN(a, b) */ * FROM a JOIN b ON a.k = b.k JOIN t ON a.k = t.k", "STATIC_SIDE")
      refused(
        "SELECT /*+ MJOIN */ * FROM a JOIN b ON a.k = b.k JOIN c ON int(b.v) = int(c.v)",
        "NOT_CONNECTED"
      )
      refused("SELECT * FROM a JOIN b ON a.k = b.k", "NO_MJOIN_HINT")
      refused(
        "SELECT /*+ MJOIN */ * FROM a JOIN b ON a.v COLLATE UTF8_LCASE = b.v COLLATE UTF8_LCASE",
        "UNSUPPORTED_KEY"
      )
      refused(
        "SELECT /*+ MJOIN */ * FROM a JOIN b ON a.k = b.k AND a.k + b.k < (SELECT max(k) FROM t)",
        "NOT_EVALUABLE"
      )
      for (now <- Seq("now()", "current_time()", "current_timestamp()", "current_date()", "localtimestamp()"))
        refused(
          s"SELECT /*+ MJOIN */ * FROM a JOIN b ON a.k = b.k JOIN c ON b.k = c.k WHERE a.v < c.v OR b.v < string($now)",
          "READS_CLOCK"
        )
      refused("SELECT /*+ MJOIN */ * FROM t JOIN t u ON t.k = u.k", "NOT_STREAMING")
      withConf("spark.streamon.join.enabled" -> "true") {
        refused("SELECT * FROM a JOIN b ON a.k = b.k", "TOO_FEW_STREAMS")
      }
    }
    withConf(rocksdb._1 -> "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider") {
      refused("SELECT /*+ MJOIN */ * FROM a JOIN b ON a.k = b.k", "NO_COLUMN_FAMILIES")
    }
  }

  test("no key connects some inputs: the part that is connected is taken, Spark's join on top of it") {
    // A cast that may raise is no key where Spark evaluates it behind another join.
    val joins =
      "* FROM a JOIN b ON a.k = b.k JOIN c ON b.k = c.k JOIN d ON int(substr(c.v, 2)) = int(substr(d.v, 2))"
    val four = Seq("a", "b", "c", "d")
    becomes(s"SELECT /*+ MJOIN */ $joins", four, Seq(3), 10)
    withConf("spark.streamon.join.enabled" -> "true")(becomes(s"SELECT $joins", four, Seq(3), 10))
  }

  test("a table joined in between ends a tree, and one joined last does not") {
    spark.range(3).selectExpr("cast(id AS INT) k", "'t' || id v").createOrReplaceTempView("t")
    val (a, c) = ("FROM a JOIN b ON a.k = b.k", "JOIN c ON c.k = b.k")
    becomes(s"SELECT /*+ MJOIN */ * $a JOIN t ON b.k = t.k $c", three, Seq(2, 2), 10)
    becomes(s"SELECT /*+ MJOIN */ * $a $c JOIN t ON b.k = t.k", three, Seq(3), 10)
    becomes(s"SELECT /*+ MJOIN */ * FROM t JOIN a ON t.k = a.k JOIN b ON a.k = b.k $c", three, Seq(3), 10)
  }
}
