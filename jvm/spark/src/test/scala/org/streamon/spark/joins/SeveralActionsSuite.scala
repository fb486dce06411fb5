package org.streamon.spark.joins

import java.nio.file.Path
import java.util.concurrent.ConcurrentLinkedQueue

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.streaming.StreamingQuery
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.tags.Prove
import org.streamon.spark.SparkSuite
import org.streamon.spark.execution.joins.MirrorRegistry

/** Several actions on the frame of one micro-batch, in foreachBatch: each joins the micro-batch from the
  * state of before, and no mirror is read anew for it.
  */
class SeveralActionsSuite extends AnyFunSuite with SparkSuite with KeyedStreams {
  private val sql = "SELECT /*+ MJOIN */ a.k, a.v, b.v, c.v FROM a JOIN b ON a.k = b.k JOIN c ON b.v = c.v"
  private val results = new ConcurrentLinkedQueue[String]

  private val actions = Seq[(String, DataFrame => Any)](
    "isEmpty" -> (_.isEmpty),
    "a result, and no more" -> (_.limit(1).collect()),
    "all results" -> (_.count()),
    "all results, and one" -> { frame => frame.count(); frame.isEmpty }
  )

  private def start(frame: DataFrame, checkpoint: Path)(action: DataFrame => Any): StreamingQuery = {
    val twice: (DataFrame, Long) => Unit = (batch, _) => {
      action(batch)
      batch.collect().foreach(row => results.add(row.toString))
    }
    frame.writeStream.option("checkpointLocation", checkpoint.toString).foreachBatch(twice).start()
  }

  private def rebuilt(query: StreamingQuery) =
    query.recentProgress.toSeq
      .flatMap(_.stateOperators)
      .map(_.customMetrics.get("mjoinRebuiltMirrors").longValue)

  for ((name, action) <- actions; (partitions, caching) <- Seq("1" -> "off", "3" -> "global"))
    test(s"$name first: $partitions partitions, caching $caching") {
      val in = streams(three: _*)
      results.clear()
      withConf(
        "spark.sql.shuffle.partitions" -> partitions,
        "spark.streamon.join.caching" -> caching,
        "spark.streamon.join.caching.forced" -> "0+1"
      )(
        inCheckpoint { checkpoint =>
          val query = start(spark.sql(sql), checkpoint)(action)
          try {
            for (batch <- 0 until 5) {
              for (n <- three) in.add(n, (1 to 40).map(k => (k * 7 % 23) -> s"${k % 9}"): _*)
              query.processAllAvailable()
            }
            assert(results.asScala.toSeq.sorted == in.asTables(stock(sql)))
            assert(rebuilt(query).sum == 0L)
          } finally query.stop()
        }
      )
    }

  for ((name, action) <- actions)
    test(
      s"$name first, after a start with less memory: rows are moved within the state store as they are read",
      Prove
    ) {
      val in = streams(three: _*)
      results.clear()
      inCheckpoint { checkpoint =>
        for (memory <- Seq("64m", "10k", "64m"))
          withConf("spark.streamon.executor.memory" -> memory, "spark.sql.shuffle.partitions" -> "1") {
            MirrorRegistry.clear()
            val query = start(spark.sql(sql), checkpoint)(action)
            try
              for (_ <- 0 until 2) {
                for (n <- three) in.add(n, (1 to 20).map(k => (k * 7 % 23) -> s"${k % 9}"): _*)
                query.processAllAvailable()
              }
            finally query.stop()
          }
        assert(results.asScala.toSeq.sorted == in.asTables(stock(sql)))
      }
    }

  for (mode <- Seq("observe", "exact"))
    test(s"rows that leave, and rows in the state store: constraints $mode") {
      val late =
        "SELECT /*+ MJOIN */ a.k, a.t, b.t FROM a JOIN b ON a.k = b.k AND b.t BETWEEN a.t AND a.t + INTERVAL 5 SECONDS"
      val session = spark
      import session.implicits._
      for (memory <- Seq("64m", "20k"))
        withConf(
          "spark.streamon.join.constraints" -> mode,
          "spark.streamon.join.minInputs" -> "2",
          "spark.streamon.executor.memory" -> memory,
          "spark.sql.shuffle.partitions" -> "2"
        )(inCheckpoint { checkpoint =>
          results.clear()
          val in = new Streams[(Int, Long)](session, Seq("a", "b"))((_, raw) =>
            raw.toDF("k", "s").selectExpr("k", "timestamp_seconds(s) t").withWatermark("t", "2 seconds")
          )
          val query = start(spark.sql(late), checkpoint)(_.isEmpty)
          try {
            for (batch <- 0 until 6) {
              for (n <- Seq("a", "b"))
                in.add(n, (1 to 60).map(k => (k % 11) -> (10 + batch * 4L + k % 5)): _*)
              query.processAllAvailable()
            }
            assert(results.asScala.toSeq.sorted == in.asTables(stock(late)))
          } finally query.stop()
        })
    }
}
