package org.streamon.spark.checkpoint

import java.io.{FileNotFoundException, IOException}
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.Files

import scala.jdk.CollectionConverters._
import scala.util.{Random, Try}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.execution.streaming.checkpointing.{
  CheckpointFileManager,
  FileContextBasedCheckpointFileManager
}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.{InFolder, Replay}

/** Whatever is asked of the manager of local files, it answers as Spark's own does, and leaves the same. */
class LikeSparkSuite extends AnyFunSuite with InFolder {
  import LikeSparkSuite._

  test("random calls get the answers of Spark's manager, and leave the same files") {
    for (_ <- 0 until 40) {
      val seed = Replay.seed.getOrElse(System.nanoTime())
      withClue(s"-Dstreamon.seed=$seed replays it: ") {
        inFolder { folder =>
          val random = new Random(seed)
          val conf = new Configuration()
          conf.set("fs.permissions.umask-mode", Seq("000", "022", "027", "077")(random.nextInt(4)))
          val (own, sparks) = (folder.resolve("own"), folder.resolve("spark"))
          val managers = Seq(
            new LocalCheckpointFileManager(path(own), conf) -> own,
            new FileContextBasedCheckpointFileManager(path(sparks), conf) -> sparks
          )
          managers.foreach(_._1.createCheckpointDirectory())
          for (step <- 0 until 25) {
            val call = Call.draw(random, step)
            val answers = managers.map { case (manager, home) => answer(call(manager, home.toString)) }
            assert(answers.distinct.size == 1, call)
          }
          assert(tree(own) == tree(sparks))
        }
      }
    }
  }

  private def answer(call: => Any): String = Try(call).fold(
    {
      case _: FileNotFoundException => "not found"
      case _: IOException           => "no"
      case other                    => throw other
    },
    _.toString
  )

  /** Paths with permissions and texts. */
  private def tree(home: java.nio.file.Path): Map[String, String] =
    Files
      .walk(home)
      .iterator
      .asScala
      .filterNot(file => isHidden(file.getFileName.toString))
      .map { file =>
        val text = if (Files.isDirectory(file)) "" else Files.readString(file)
        home.relativize(file).toString -> s"${Files.getPosixFilePermissions(file)} $text"
      }
      .toMap
}

object LikeSparkSuite {
  private def path(of: java.nio.file.Path) = new Path(of.toUri)

  /** Checksums of Hadoop, and what Spark leaves of a file that it cannot put in its place. */
  private def isHidden(name: String) = name.startsWith(".")

  /** Something that a caller asks of a manager, below a folder. */
  private final class Call(name: String)(ask: (CheckpointFileManager, String) => Any) {
    def apply(manager: CheckpointFileManager, home: String): Any = ask(manager, home)
    override def toString: String = name
  }

  private object Call {
    def draw(random: Random, step: Int): Call = {
      def part = ('a' + random.nextInt(3)).toChar.toString
      val below = Seq.fill(1 + random.nextInt(3))(part).mkString("/")
      val overwrite = random.nextBoolean()
      def at(home: String) = new Path(s"$home/$below")
      random.nextInt(8) match {
        case 0 => new Call(s"mkdirs $below")((m, home) => m.mkdirs(at(home)))
        case 1 => new Call(s"exists $below")((m, home) => m.exists(at(home)))
        case 2 => new Call(s"delete $below")((m, home) => m.delete(at(home)))
        case 3 => new Call(s"open $below")((m, home) => read(m, at(home)))
        case 4 =>
          new Call(s"list $below")((m, home) =>
            m.list(at(home)).map(_.getPath.getName).filterNot(isHidden).sorted.mkString(" ")
          )
        case 5 => new Call(s"cancel $below")((m, home) => write(m, at(home), overwrite, step).cancel())
        case _ =>
          new Call(s"write $below, overwriting: $overwrite")((m, home) =>
            write(m, at(home), overwrite, step).close()
          )
      }
    }

    private def write(manager: CheckpointFileManager, to: Path, overwrite: Boolean, step: Int) = {
      val stream = manager.createAtomic(to, overwrite)
      stream.write(s"what step $step writes".getBytes(UTF_8))
      stream
    }

    private def read(manager: CheckpointFileManager, from: Path) = {
      val stream = manager.open(from)
      try new String(stream.readAllBytes(), UTF_8)
      finally stream.close()
    }
  }
}
