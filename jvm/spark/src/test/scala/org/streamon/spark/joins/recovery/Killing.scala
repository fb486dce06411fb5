package org.streamon.spark.joins.recovery

import java.nio.file.Path

import scala.util.Random

import org.apache.spark.sql.internal.SQLConf
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.Replay
import org.streamon.spark.checkpoint.LocalCheckpointFileManager

/** Kills a query many times, and compares what it has written in the end with Spark's batch join. */
trait Killing extends Undisturbed { self: AnyFunSuite =>
  private lazy val session = spark
  import session.implicits._

  val seed: Option[Long] = Replay.seed

  /** Drawn for each life, as the others keep the checkpoint by what Spark takes. */
  private val localFiles =
    SQLConf.STREAMING_CHECKPOINT_FILE_MANAGER_CLASS.parent.key -> classOf[LocalCheckpointFileManager].getName

  /** So many that a query killed so often is not at its end before. */
  def batchesFor(kills: Int): Int = 5 * kills + 4

  def surviving(
      seed: Long,
      in: ThreeStreams,
      home: Path,
      from: String,
      kills: Int,
      format: String,
      join: Disturbed
  ): Unit = {
    info(s"-Dstreamon.seed=$seed replays it")
    val random = new Random(seed)
    val partitions = "spark.sql.shuffle.partitions" -> "3"
    def confs = Seq(
      rocksdb,
      partitions,
      "spark.sql.streaming.stateStore.checkpointFormatVersion" -> format,
      "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled" -> random
        .nextBoolean()
        .toString,
      "spark.sql.streaming.stateStore.minDeltasForSnapshot" -> "3",
      "spark.sql.streaming.minBatchesToRetain" -> in.batches.toString
    ) ++ join.confs ++ Option.when(random.nextBoolean())(localFiles)
    val lives = new Lives(home, from, join.sql)
    val fell = for (kill <- 1 to kills) yield {
      val progress = lives.killed(random, confs)
      info(s"kill $kill: $progress")
      progress.phase
    }
    lives.toTheEnd(confs, in.batches)
    if (kills >= 20) assert(fell.distinct.size >= 3, s"seed $seed: all kills fell at the same moments, $fell")
    info(
      fell
        .groupBy(identity)
        .map { case (phase, times) => s"${times.size} $phase" }
        .toSeq
        .sorted
        .mkString("; ")
    )
    val files = if (format == "1") s"$home/out" else s"$home/out/*"
    val written = rows(spark.read.schema("k INT, av STRING, bv STRING, cv STRING").json(files))
    val cuts = if (join.isBatch) Cuts.even(in.batches) else Cuts.of(home.resolve("checkpoint"))
    assert(in.lines.keys.forall(name => cuts.flatMap(_(name)) == in.lines(name).indices))
    val expected = withConf(partitions)(undisturbed(join, in, cuts))
    info(s"${expected.size} rows")
    assert(expected.size > 100)
    val operators = spark.read.format("state-metadata").load(s"$home/checkpoint")
    assert(operators.select($"operatorProperties").as[String].collect().exists(_.contains("mjoin")))
    val (missing, surplus) = (expected.diff(written), written.diff(expected))
    assert(missing.isEmpty && surplus.isEmpty, s"seed $seed: missing $missing, too many $surplus")
  }
}
