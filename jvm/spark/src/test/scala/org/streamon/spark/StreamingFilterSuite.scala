package org.streamon.spark

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.streaming.runtime.MemoryStream
import org.apache.spark.sql.functions._
import org.apache.spark.sql.streaming.{StreamingQuery, Trigger}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.metrics.FilterMonitor

/** Adaptive filters in Structured Streaming: the answers of stock Spark, and profiles and settings that go
  * from micro-batch to micro-batch.
  */
class StreamingFilterSuite extends AnyFunSuite with StreamingFilters with InFolder {
  private lazy val session = spark
  import session.implicits._

  private val where = "s LIKE '%1%2%' AND value % 2 = 0 AND sha2(s, 256) < 'a'"
  private val hinted = "initialOrder=written" :: "profilingProbability=1.0" :: "profilingBudget=1.0" :: Nil
  private val batches = Seq((0 until 2000), (2000 until 2010), (2010 until 5000))

  private def numbers(frame: DataFrame): DataFrame = frame.selectExpr("value", "cast(value AS STRING) s")

  test("a memory stream gives the rows of stock Spark, micro-batch by micro-batch") {
    val results =
      for (enabled <- Seq("true", "false"))
        yield withConf("spark.streamon.enabled" -> enabled) {
          val stream = MemoryStream[Int](session)
          running(numbers(stream.toDF()).where(where)) { query =>
            batches.map { batch =>
              stream.addData(batch: _*)
              query.processAllAvailable()
              assert(filters(query).nonEmpty == enabled.toBoolean)
              rows(spark.table(query.name))
            }
          }
        }
    assert(results.head == results.last)
    assert(results.head.last.nonEmpty)
  }

  test("a setting of the session holds from the next micro-batch on") {
    val stream = MemoryStream[Int](session)
    running(numbers(stream.toDF()).where(where)) { query =>
      def nextBatch(settings: (String, String)*) = withConf(settings: _*) {
        stream.addData(1 to 100: _*)
        query.processAllAvailable()
        filters(query).headOption.map(_.settings)
      }
      assert(nextBatch().get.algorithm == "a-greedy")
      assert(nextBatch("spark.streamon.filter.algorithm" -> "sweep").get.algorithm == "sweep")
      val slower = nextBatch("spark.streamon.filter.profilingProbability" -> "0.5").get
      assert(slower.algorithm == "a-greedy" && slower.profilingProbability == 0.5)
      assert(nextBatch("spark.streamon.filter.mode" -> "off").isEmpty)
      assert(nextBatch("spark.streamon.enabled" -> "false").isEmpty)
      assert(nextBatch().get.profilingProbability == 0.01)
    }
  }

  test("what one micro-batch has learned the next begins with, under new settings too") {
    val stream = MemoryStream[Int](session)
    val frame =
      numbers(stream.toDF()).where("s LIKE '%' AND value >= 0 AND value % 1000 = 7 AND s RLIKE '^[0-9]+$'")
    running(frame.hint("adaptive_filter", hinted: _*)) { query =>
      stream.addData(0 until 4000: _*)
      query.processAllAvailable()
      val decisions =
        spark.sql(s"SELECT * FROM streamon_decisions() WHERE query = '${query.id}' ORDER BY time")
      val learned = decisions.select("new_order").as[Seq[String]].collect().last
      assert(learned.head.contains("1000"))
      for (settings <- Seq(Nil, Seq("spark.streamon.filter.thrashAvoidance" -> "0.8")))
        withConf(settings: _*) {
          stream.addData(0 until 4000: _*)
          query.processAllAvailable()
          val filter = filters(query).head
          val selective = filter.conjuncts.indexWhere(_.sql.contains("1000"))
          // All rows but four are dropped by the first in the order, from the first row on: nobody else drops any.
          assert(filter.metrics(s"drops$selective").value == 3996)
          assert(filter.metrics("reorders").value == 0)
        }
    }
  }

  for (algorithm <- Seq("a-greedy", "static"))
    test(s"files one by one, restarted from the checkpoint, switched off and on in between; $algorithm") {
      inFolder { folder =>
        val source = folder.resolve("source").toString
        val (sink, checkpoint) = (folder.resolve("sink").toString, folder.resolve("checkpoint").toString)
        for ((batch, i) <- batches.zipWithIndex) {
          session.createDataset(batch).toDF("value").coalesce(1).write.mode("append").parquet(source)
          withConf(
            "spark.streamon.enabled" -> (i != 1).toString,
            "spark.streamon.filter.algorithm" -> algorithm
          ) {
            val stream =
              numbers(spark.readStream.schema("value INT").option("maxFilesPerTrigger", 1).parquet(source))
            val query = stream
              .where(where)
              .writeStream
              .option("checkpointLocation", checkpoint)
              .trigger(Trigger.AvailableNow())
              .start(sink)
            query.awaitTermination()
            assert(filters(query).nonEmpty == (i != 1))
          }
        }
        assert(rows(spark.read.parquet(sink)) == wanted(batches.flatten))
      }
    }

  test("an aggregation with a watermark above the filter, restarted, off and on: the rows of stock Spark") {
    val results =
      for (switches <- Seq(Seq("true", "false", "true"), Seq("false", "false", "false")))
        yield inFolder { folder =>
          val stream = MemoryStream[Int](session)
          val frame = numbers(stream.toDF())
            .where(where)
            .withColumn("time", timestamp_seconds(col("value") * 10))
            .withWatermark("time", "1 minute")
            .groupBy(window(col("time"), "10 minutes"))
            .agg(count(lit(1)), sum(col("value")))
          val batchRows = batches.zip(switches).map { case (batch, enabled) =>
            withConf("spark.streamon.enabled" -> enabled) {
              stream.addData(batch: _*)
              val query = frame.writeStream
                .outputMode("append")
                .option("checkpointLocation", folder.resolve("checkpoint").toString)
                .format("parquet")
                .start(folder.resolve("sink").toString)
              val before = filtered(query)
              try query.processAllAvailable()
              finally query.stop()
              assert((filtered(query) > before) == enabled.toBoolean)
              rows(spark.read.parquet(folder.resolve("sink").toString))
            }
          }
          batchRows.last
        }
    assert(results.head == results.last)
    assert(results.head.nonEmpty)
  }

  test("an error of the written order ends the stream, and one out of turn does not") {
    val guarded = "value <> 0 AND s LIKE '%1%' AND 100 / value > 1"
    val stream = MemoryStream[Int](session)
    withConf("spark.streamon.filter.forcedOrder" -> "2,1,0") {
      running(numbers(stream.toDF()).where(guarded)) { query =>
        stream.addData(0, 1, 10, 41, 1000)
        query.processAllAvailable()
        assert(filters(query).head.metrics("reevaluatedRows").value == 1)
        assert(rows(spark.table(query.name)) == Seq("[1,1]", "[10,10]", "[41,41]"))
      }
    }
    val unguarded = MemoryStream[Int](session)
    running(numbers(unguarded.toDF()).where("100 / value > 1 AND s LIKE '%'")) { query =>
      unguarded.addData(1, 0)
      assert(intercept[Exception](query.processAllAvailable()).getMessage.contains("DIVIDE_BY_ZERO"))
    }
  }

  test("what foreachBatch sets in its session holds against what the user sets in his") {
    val stream = MemoryStream[Int](session)
    val seen = new java.util.concurrent.ConcurrentLinkedQueue[String]
    val algorithm = "spark.streamon.filter.algorithm"
    val query = numbers(stream.toDF()).writeStream
      .foreachBatch { (batch: DataFrame, id: Long) =>
        if (id == 1) batch.sparkSession.conf.set(algorithm, "sweep")
        val filtered = batch.where(where).asInstanceOf[org.apache.spark.sql.classic.DataFrame]
        filtered.collect()
        seen.add(adaptiveFilters(filtered).map(_.settings.algorithm).mkString)
        ()
      }
      .start()
    try {
      def nextBatch(): Unit = { stream.addData(1 to 100: _*); query.processAllAvailable() }
      nextBatch()
      nextBatch()
      withConf(algorithm -> "independent")(nextBatch())
      assert(seen.toArray.toSeq == Seq("a-greedy", "sweep", "sweep"))
    } finally query.stop()
  }

  private def wanted(values: Seq[Int]): Seq[String] = {
    session.createDataset(values).toDF("value").createOrReplaceTempView("wanted")
    stock(s"SELECT * FROM (SELECT value, cast(value AS STRING) s FROM wanted) WHERE $where")
  }

  /** Rows that adaptive filters of a query have taken in, in all its runs. */
  private def filtered(query: StreamingQuery): Long =
    FilterMonitor.totals(None).filter(_.query == query.id.toString).map(_.inputRows).sum
}
