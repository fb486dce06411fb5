package org.streamon.spark.joins

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.spark.sql.streamon.BetweenBatches
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite

/** What a micro-batch writes of what is known of constraints. */
class ConstraintWritesSuite extends AnyFunSuite with SparkSuite with StreamingJoins {
  private lazy val session = spark
  import session.implicits._

  private val settings = Seq(
    rocksdb,
    "spark.sql.shuffle.partitions" -> "1",
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled" -> "true",
    "spark.sql.streaming.stateStore.compression.codec" -> "lz4"
  )

  private val sql =
    "SELECT /*+ MJOIN, K_CONSTRAINT('RIDS', a, b, 1000000), K_CONSTRAINT('RIDS', a, c, 1000000) */ " +
      "a.v av, b.v bv, c.v cv FROM a JOIN b ON a.id = b.id JOIN c ON b.id = c.id"

  /** Bytes of the changes that each micro-batch has written, in their order. */
  private def written(checkpoint: Path): Seq[Long] = {
    val changes = Using.resource(Files.walk(checkpoint.resolve("state"))) {
      _.iterator.asScala.filter(_.toString.endsWith(".changelog")).toSeq
    }
    changes.sortBy(_.getFileName.toString.takeWhile(_.isDigit).toInt).map(Files.size(_))
  }

  /** Bytes of one new row, where so many keys are watched. */
  private def writtenBeside(keys: Int, mode: String): Long =
    withConf(settings :+ ("spark.streamon.join.constraints" -> mode): _*) {
      inCheckpoint { checkpoint =>
        val in = new Streams[Link](session, Seq("a", "b", "c"))((_, raw) => raw)
        val runs = new Runs(spark.sql(sql), checkpoint)
        def bring(rows: Seq[Link]): Unit = {
          BetweenBatches(runs.query)(in.add("a", rows: _*))
          runs.settle()
        }
        runs.start()
        try {
          bring(Seq.tabulate(keys)(id => Link(id.toLong, 0, 0)))
          for (more <- 0 until 3) bring(Seq(Link(keys + more.toLong, 0, 0)))
        } finally runs.stop()
        written(checkpoint).last
      }
    }

  for (mode <- Seq("exact", "approximate"))
    test(s"$mode: one new row writes hardly more beside 20,000 keys than beside 1,000") {
      val (few, many) = (writtenBeside(1000, mode), writtenBeside(20000, mode))
      // A page of each of two monitors, and the counters. All keys, compressed, take 200,000.
      assert(few < 2000 && many < 2000, s"$few, $many bytes")
    }
}
