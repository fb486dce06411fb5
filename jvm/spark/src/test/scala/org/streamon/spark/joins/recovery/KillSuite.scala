package org.streamon.spark.joins.recovery

import java.nio.file.attribute.FileTime
import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite
import org.streamon.spark.joins.StreamingJoins
import org.streamon.tags.Prove

/** A query from files to files that is killed (SIGKILL) again and again, and started again from what it left,
  * gives the rows of Spark's batch join, each once. `-Dstreamon.seed=N` draws the same rows and the same
  * moments; where in a micro-batch a moment falls is for the machine.
  */
class KillSuite extends AnyFunSuite with SparkSuite with StreamingJoins with Killing {

  test("killed twice") {
    survive(seed.getOrElse(1L), kills = 2, format = "2")
  }

  for (format <- Seq("1", "2"))
    test(s"killed twenty times, checkpoint format $format", Prove) {
      survive(seed.getOrElse(System.nanoTime()), kills = 20, format)
    }

  for ((join, format) <- (Disturbed.inRows +: Disturbed.constrained).zip(Seq("1", "2", "1", "2")))
    test(s"${join.name}, killed twenty times", Prove) {
      survive(seed.getOrElse(System.nanoTime()), kills = 20, format, join)
    }

  private def survive(seed: Long, kills: Int, format: String, join: Disturbed = Disturbed.plain): Unit =
    inFolder { folder =>
      val in = new ThreeStreams(seed, batchesFor(kills), moving = join.moving)
      write(in, folder)
      surviving(seed, in, folder, folder.toString, kills, format, join)
    }

  /** A file for each micro-batch: Spark takes them by their age. */
  private def write(in: ThreeStreams, folder: Path): Unit =
    for ((name, batches) <- in.lines; (lines, batch) <- batches.zipWithIndex) {
      val file = Files.createDirectories(folder.resolve(name)).resolve(s"$batch.txt")
      Files.write(file, lines.asJava)
      Files.setLastModifiedTime(file, FileTime.fromMillis(1000000000000L + batch * 1000L))
    }
}
