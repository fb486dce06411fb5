package org.streamon.spark.joins.recovery

import java.nio.file.Path

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.streamon.BetweenBatches
import org.streamon.spark.SparkSuite
import org.streamon.spark.joins.Streams
import org.scalatest.{Suite, Tag}
import org.streamon.tags.Prove

/** Joins [[ThreeStreams]] from memory, micro-batch by micro-batch, with failures on the way. A task that
  * fails is tried three times in all.
  */
trait RecoverySuite extends Undisturbed { self: Suite =>
  override lazy val spark: SparkSession =
    SparkSuite.builder("local[3, 3]").config("spark.sql.shuffle.partitions", "2").getOrCreate()
  private lazy val session = spark
  import session.implicits._

  /** A query, what comes, and what it should give. */
  final class Trial(in: ThreeStreams, checkpoint: Path, join: Disturbed) {
    private val streams =
      new Streams[String](session, ThreeStreams.Names)((_, raw) => ThreeStreams.view(raw))
    private var batch = 0
    val runs = new Runs(spark.sql(join.sql), checkpoint)

    /** Brings what the next micro-batch takes. */
    def bring(): Unit = {
      def add() = for (name <- ThreeStreams.Names) streams.add(name, in.lines(name)(batch): _*)
      if (runs.query.isActive) BetweenBatches(runs.query)(add()) else add()
      batch += 1
    }

    def step(): Unit = {
      bring()
      runs.settle()
    }

    /** The micro-batch that comes next. */
    def next: Long = Progress.of(checkpoint.getParent).offsets

    /** Mirrors read anew in this run. */
    def rebuilt: Long = runs.progress.map(_.customMetrics.get("mjoinRebuiltMirrors").longValue).sum

    def check(): Unit = {
      assert(runs.operators.nonEmpty)
      assert(runs.progress.map(_.customMetrics.get(join.sign).longValue).sum > 0)
      val (ours, expected) = (runs.rows, undisturbed(join, in, Cuts.even(batch)))
      val (missing, surplus) = (expected.diff(ours), ours.diff(expected))
      assert(missing.isEmpty && surplus.isEmpty, s"missing $missing, too many $surplus")
      assert(expected.size > 100)
      val followed = spark.sql(
        s"SELECT operator, count(DISTINCT route) FROM streamon_routes('${runs.query.id}') WHERE input_rows > 0 GROUP BY 1"
      )
      assert(
        followed.collect().map(_.getLong(1)).toSeq == ThreeStreams.Names.map(_ => join.routes).filter(_ > 0)
      )
    }
  }

  def trial(join: Disturbed = Disturbed.plain, confs: Seq[(String, String)] = Nil)(
      body: Trial => Unit
  ): Unit =
    inFolder { folder =>
      withConf((rocksdb +: WatchedFiles.confs) ++ join.confs ++ confs: _*) {
        val trial = new Trial(
          new ThreeStreams(1L, batches = 40, moving = join.moving),
          folder.resolve("checkpoint"),
          join
        )
        trial.runs.start()
        try {
          body(trial)
          trial.check()
        } finally trial.runs.stop()
      }
    }

  /** Confs for each way to keep a checkpoint. */
  val formats: Seq[Seq[(String, String)]] = for {
    format <- Seq("1", "2")
    changelog <- Seq("true", "false")
  } yield Seq(
    "spark.sql.streaming.stateStore.checkpointFormatVersion" -> format,
    "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled" -> changelog
  )

  /** Each of the settings of `formats` is in the tests of every day, not each with each. */
  def tagsOf(format: Seq[(String, String)]): Seq[Tag] =
    if (format == formats(1) || format == formats(2)) Nil else Seq(Prove)

  def nameOf(format: Seq[(String, String)]): String =
    s"checkpoint format ${format.head._2}, changelog ${format.last._2}"
}
