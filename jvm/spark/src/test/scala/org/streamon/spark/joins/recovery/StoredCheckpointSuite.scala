package org.streamon.spark.joins.recovery

import java.io.File
import java.nio.file.{Files, Path}
import java.util.zip.{ZipEntry, ZipOutputStream}

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.fs.FileUtil
import org.apache.hadoop.util.VersionUtil.compareVersions
import org.apache.spark.sql.streamon.BetweenBatches
import org.streamon.spark.joins.Streams
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.tags.Prove
import org.streamon.spark.{SparkLine, Warnings}

/** A query goes on from a checkpoint that it wrote under this line of Spark, or under an earlier one. The
  * checkpoints are kept with the tests, so that neither a new Spark nor a change of ours can forget them.
  * With `-Dstreamon.checkpoints=write` they are written instead, those of the line that the tests run on.
  */
class StoredCheckpointSuite extends AnyFunSuite with Undisturbed {
  private lazy val session = spark
  import session.implicits._

  private val (written, all) = (6, 12)
  private val kinds = Map(
    "plain" -> Disturbed.plain,
    "rows" -> Disturbed.inRows,
    "exact" -> Disturbed.exact,
    "approximate" -> Disturbed.approximate,
    "strict" -> Disturbed.strict
  )
  private val OtherMeaning = "STREAMON_CHECKPOINT_OTHER_CA"
  private val stored = Path.of("src/test/resources/checkpoints")

  if (sys.props.get("streamon.checkpoints").contains("write")) {
    for ((kind, join) <- kinds) test(s"writes the checkpoint of Spark ${SparkLine.built}, $kind") {
      write(join, stored.resolve(SparkLine.built).resolve(s"$kind.zip"))
    }
  } else {
    val lines = stored.toFile.list.filter(compareVersions(_, SparkLine.built) <= 0)
    assert(lines.contains(SparkLine.built))
    for (line <- lines; archive <- stored.resolve(line).toFile.listFiles.toSeq.sorted)
      reads(line, archive.getName.stripSuffix(".zip"), archive.toPath)
  }

  /** What is called `from-latest` is from before CA counted from the first row of a key, what is called
    * `whole` from before monitors were written page by page, `unturned` from before sequence numbers sorted
    * as bytes, and `named` from before cold rows lay under their keys alone. They cannot be written again.
    */
  private def reads(line: String, name: String, archive: Path): Unit = name match {
    case "learned-from-latest" =>
      test(s"forgets a k of CA that Spark $line learned from the latest row of a key") {
        goesOn(Disturbed.learning, archive)
      }
    case "exact-from-latest" =>
      test(s"exact goes on with a declared k of CA that Spark $line counted from the latest row, and warns") {
        val warnings = Warnings.during(goesOn(Disturbed.exact, archive)).filter(_.contains(OtherMeaning))
        assert(
          warnings.size == 3 && "abc".forall(of => warnings.exists(_.contains(s"CA $of on k"))),
          warnings
        )
      }
    case s"$kind-from-latest" =>
      test(s"$kind refuses a declared k of CA that Spark $line counted from the latest row of a key") {
        refuses(kinds(kind), archive)
      }
    case s"$kind-whole" =>
      test(s"goes on from monitors that Spark $line wrote as a whole, $kind", Prove)(
        goesOn(kinds(kind), archive)
      )
    case s"$kind-unturned" =>
      test(s"goes on from sequence numbers as Spark $line has them, $kind", Prove)(
        goesOn(kinds(kind), archive)
      )
    case s"$kind-named" =>
      test(s"goes on from cold rows that Spark $line wrote by name as well, $kind", Prove)(
        goesOn(kinds(kind), archive)
      )
    case kind => test(s"goes on from a checkpoint of Spark $line, $kind")(goesOn(kinds(kind), archive))
  }

  private def write(join: Disturbed, archive: Path): Unit = inRun(join, before = 0) {
    (checkpoint, runs, add) =>
      runs.start()
      try
        for (batch <- 0 until written) {
          BetweenBatches(runs.query)(add(batch))
          runs.settle()
        }
      finally runs.stop()
      zip(checkpoint, archive)
  }

  private def goesOn(join: Disturbed, archive: Path): Unit = inRun(join, before = written) {
    (checkpoint, runs, add) =>
      FileUtil.unZip(archive.toFile, checkpoint.toFile)
      runs.start()
      try {
        for (batch <- written until all) {
          BetweenBatches(runs.query)(add(batch))
          runs.settle()
        }
        assert(runs.operators.size == 1)
        assert(runs.query.recentProgress.head.batchId >= written)
        assert(
          runs.progress.map(_.customMetrics.get("mjoinRebuiltMirrors").longValue).sum == 2,
          "one a partition"
        )
        val expected = later(join)
        val (missing, surplus) = (expected.diff(runs.rows), runs.rows.diff(expected))
        assert(missing.isEmpty && surplus.isEmpty, s"missing $missing, too many $surplus")
        assert(expected.size > 50)
      } finally runs.stop()
  }

  private def refuses(join: Disturbed, archive: Path): Unit = inRun(join, before = written) {
    (checkpoint, runs, add) =>
      FileUtil.unZip(archive.toFile, checkpoint.toFile)
      runs.start()
      try {
        val error = failure {
          add(written)
          runs.settle()
        }
        assert(error.contains(s"[$OtherMeaning]") && error.contains(s"$checkpoint/state"), error)
        assert("abc".exists(of => error.contains(s"CA $of on k, declared with k = ")), error)
      } finally runs.stop()
  }

  /** Results of the micro-batches that come after those of the checkpoint. */
  private def later(join: Disturbed): Seq[String] = {
    val in = streamsOf(join)
    undisturbed(join, in, Cuts.even(all)).diff(undisturbed(join, in, Cuts.even(written)))
  }

  private def streamsOf(join: Disturbed) =
    new ThreeStreams(1L, batches = all, keys = join.keys, moving = join.moving)

  /** Runs `body` with a folder for a checkpoint, a query that is to be started there, over streams that have
    * had their first micro-batches already, and what brings another.
    */
  private def inRun(join: Disturbed, before: Int)(body: (Path, Runs, Int => Unit) => Unit): Unit =
    withConf(join.confs: _*) {
      inCheckpoint { checkpoint =>
        val in = streamsOf(join)
        val streams = new Streams[String](session, ThreeStreams.Names)((_, raw) => ThreeStreams.view(raw))
        def add(batch: Int): Unit = for (name <- ThreeStreams.Names)
          streams.add(name, in.lines(name)(batch): _*)
        for (batch <- 0 until before) add(batch)
        body(checkpoint, new Runs(spark.sql(join.sql), checkpoint), add)
      }
    }

  private def zip(folder: Path, archive: Path): Unit = {
    Files.createDirectories(archive.getParent)
    val files = Using.resource(Files.walk(folder))(_.iterator.asScala.filter(Files.isRegularFile(_)).toSeq)
    Using.resource(new ZipOutputStream(Files.newOutputStream(archive))) { out =>
      for (file <- files) {
        out.putNextEntry(new ZipEntry(folder.relativize(file).toString.replace(File.separatorChar, '/')))
        Files.copy(file, out)
      }
    }
  }
}
