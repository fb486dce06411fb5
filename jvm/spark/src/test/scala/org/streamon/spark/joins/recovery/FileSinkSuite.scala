package org.streamon.spark.joins.recovery

import java.io.IOException
import java.util.concurrent.atomic.AtomicBoolean

import org.apache.spark.sql.streaming.StreamingQueryException
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.joins.Streams

/** A limit of Spark's, for its own joins and for an MJoin alike: when a query fails after its file sink has a
  * micro-batch and before the commit log has, the sink skips that micro-batch at the next start, so that no
  * task reports the state that it made; under checkpoint format 2 Spark then cannot go on. Under format 1 it
  * can, and so it can with sinks that take a micro-batch twice.
  */
class FileSinkSuite extends AnyFunSuite with RecoverySuite {
  private lazy val session = spark
  import session.implicits._

  for (format <- Seq("1", "2"))
    test(s"failed between file sink and commit log: checkpoint format $format") {
      for (sql <- Seq(ThreeStreams.sql, ThreeStreams.sql.replace("/*+ MJOIN */", ""))) {
        val ended = failed(sql, format)
        if (format == "1") assert(ended.isEmpty, ended)
        else assert(ended.exists(_.contains("CheckpointInfo length: 0")), ended)
      }
    }

  /** What ends the query when it is started again. */
  private def failed(sql: String, format: String): Option[String] = inFolder { folder =>
    withConf(
      rocksdb,
      WatchedFiles.conf,
      "spark.sql.streaming.stateStore.checkpointFormatVersion" -> format
    ) {
      val in = new ThreeStreams(1L, batches = 2)
      val streams = new Streams[String](session, ThreeStreams.Names)((_, raw) => ThreeStreams.view(raw))
      def run() = {
        val query = spark
          .sql(sql)
          .writeStream
          .format("json")
          .option("path", s"$folder/out")
          .option("checkpointLocation", s"$folder/checkpoint")
          .start()
        try query.processAllAvailable()
        finally query.stop()
      }
      for (name <- ThreeStreams.Names) streams.add(name, in.lines(name).head: _*)
      val (moment, first) = (new Moment.Log("commits", there = false), new AtomicBoolean(true))
      def fail(path: String, there: Boolean): Unit =
        if (there == moment.there && moment.is(0, path) && first.getAndSet(false))
          throw new IOException(s"failed on purpose: $moment")
      WatchedFiles.watching(fail)(intercept[StreamingQueryException](run()))
      try { run(); None }
      catch { case e: StreamingQueryException => Some(e.getCause.getMessage) }
    }
  }
}
