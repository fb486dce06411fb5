package org.streamon.spark.checkpoint

import java.io.IOException
import java.nio.file.{FileSystemException, Files, Path}
import java.util.concurrent.{Callable, Executors}

import scala.jdk.CollectionConverters._
import scala.util.Try

import jdk.jfr.Recording
import jdk.jfr.consumer.RecordingFile
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileAlreadyExistsException, Path => HadoopPath, RawLocalFileSystem}
import org.apache.spark.sql.execution.streaming.checkpointing._
import org.apache.spark.sql.internal.SQLConf
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.{InFolder, Warnings}

/** What files of a checkpoint are worth: whole, never overwritten unless they may be, and cheap. */
class LocalCheckpointFileManagerSuite extends AnyFunSuite with InFolder {
  import LocalCheckpointFileManagerSuite._

  private def conf = new Configuration()
  private def manager(folder: Path) = new LocalCheckpointFileManager(new HadoopPath(folder.toUri), conf)

  test("of writers that may not overwrite one succeeds, and its file is whole") {
    inFolder { folder =>
      for (round <- 0 until 50) {
        val file = folder.resolve(s"$round")
        val wrote = together(8)(writer => write(manager(folder), file, writer, overwrite = false))
        assert(wrote.count(_.isSuccess) == 1)
        assert(wrote.flatMap(_.failed.toOption).forall(_.isInstanceOf[FileAlreadyExistsException]))
        assert(content(file) == wrote.indexWhere(_.isSuccess))
      }
      assert(Files.list(folder).count() == 50)
    }
  }

  test("who reads while a file is overwritten finds one or the other, whole") {
    inFolder { folder =>
      val file = folder.resolve("file")
      write(manager(folder), file, 0, overwrite = true)
      val read = together(4) { thread =>
        for (time <- 0 until 200)
          if (thread == 0) write(manager(folder), file, time, overwrite = true) else content(file)
      }
      read.foreach(_.get)
      assert(content(file) == 199)
    }
  }

  test("Spark's manager reads what has overwritten a file that Hadoop has a checksum of") {
    for (overwrite <- Seq(true, false)) inFolder { folder =>
      val file = folder.resolve("file")
      val sparks = new FileSystemBasedCheckpointFileManager(new HadoopPath(folder.toUri), conf)
      write(sparks, file, 1, overwrite = true)
      assert(Files.exists(folder.resolve(".file.crc")))
      if (!overwrite) Files.delete(file)
      write(manager(folder), file, 2, overwrite)
      assert(read(sparks, file).toSet == Set[Byte](2))
    }
  }

  test("a file is read that Hadoop has an old checksum of, as Spark's default manager reads it") {
    inFolder { folder =>
      val file = folder.resolve("file")
      val here = new HadoopPath(folder.toUri)
      write(new FileSystemBasedCheckpointFileManager(here, conf), file, 1, overwrite = true)
      Files.write(file, Array.fill[Byte](Size)(2))
      for (manager <- Seq(manager(folder), new FileContextBasedCheckpointFileManager(here, conf)))
        assert(read(manager, file).toSet == Set[Byte](2))
    }
  }

  test("on a disk without links a file is not overwritten either") {
    for (
      refusal <- Seq(
        new UnsupportedOperationException,
        new FileSystemException("file", null, "Operation not permitted")
      )
    )
      inFolder { folder =>
        val file = folder.resolve("file")
        def write(number: Byte): Unit = {
          val from = AtomicFile.temporary(file)
          val stream = new AtomicFile(Files.newOutputStream(from), from, file, false) {
            override protected def link(to: Path, from: Path): Unit = throw refusal
          }
          stream.write(Array.fill(Size)(number))
          stream.close()
        }
        write(1)
        assertThrows[FileAlreadyExistsException](write(2))
        assert(content(file) == 1)
        assert(Files.list(folder).count() == 1)
      }
  }

  test("a file is there once where a link was made, and the disk says that it was there already") {
    inFolder { folder =>
      val file = folder.resolve("file")
      val from = AtomicFile.temporary(file)
      val stream = new AtomicFile(Files.newOutputStream(from), from, file, false) {
        override protected def link(to: Path, from: Path): Unit = {
          super.link(to, from)
          super.link(to, from)
        }
      }
      stream.write(Array.fill(Size)(1.toByte))
      stream.close()
      assert(content(file) == 1 && Files.list(folder).count() == 1)
    }
  }

  test("what a kill between link and delete leaves is in nobody's way") {
    inFolder { folder =>
      val file = folder.resolve("0")
      write(manager(folder), file, 1, overwrite = false)
      Files.createLink(AtomicFile.temporary(file), file)
      assertThrows[FileAlreadyExistsException](write(manager(folder), file, 2, overwrite = false))
      assert(content(file) == 1)
      write(manager(folder), file, 3, overwrite = true)
      assert(content(file) == 3)
      manager(folder).delete(new HadoopPath(file.toUri))
      write(manager(folder), file, 4, overwrite = false)
      assert(content(file) == 4)
    }
  }

  test("what is cancelled is not written") {
    inFolder { folder =>
      val from = folder.resolve("from")
      val written = new java.io.ByteArrayOutputStream
      val stream = new AtomicFile(written, from, folder.resolve("file"), true)
      stream.write(1)
      stream.cancel()
      stream.close()
      assert(written.size == 0 && Files.list(folder).count() == 0)
    }
  }

  test("a folder below one that hands its group on hands it on") {
    inFolder { folder =>
      Files.setAttribute(folder, "unix:mode", 0x5ed) // 02755
      manager(folder).mkdirs(new HadoopPath(folder.resolve("below").toUri))
      assert(Files.getAttribute(folder.resolve("below"), "unix:mode").asInstanceOf[Int] == 0x45ed)
    }
  }

  test("a file that cannot be put in its place leaves nothing behind") {
    inFolder { folder =>
      Files.createDirectories(folder.resolve("file/inside"))
      for (overwrite <- Seq(true, false))
        assertThrows[IOException](write(manager(folder), folder.resolve("file"), 1, overwrite))
      assert(Files.list(folder).iterator.asScala.map(_.getFileName.toString).toSeq == Seq("file"))
    }
  }

  test("no process is started") {
    inFolder { folder =>
      def use(manager: CheckpointFileManager, of: Path): Unit = {
        val folder = new HadoopPath(of.toUri)
        manager.createCheckpointDirectory()
        manager.mkdirs(new HadoopPath(folder, "offsets"))
        for (overwrite <- Seq(true, false)) {
          val file = of.resolve(s"offsets/$overwrite")
          write(manager, file, 1, overwrite)
          manager.open(new HadoopPath(file.toUri)).close()
          assert(manager.exists(new HadoopPath(file.toUri)))
        }
        assert(manager.list(new HadoopPath(folder, "offsets")).length == 2)
        manager.delete(folder)
      }
      val (own, sparks) = (folder.resolve("own"), folder.resolve("spark"))
      assert(processes(folder)(use(manager(own), own)) == 0)
      val ofSpark = new FileContextBasedCheckpointFileManager(new HadoopPath(sparks.toUri), conf)
      // Without Hadoop's native library. With it there are none to save.
      if (!org.apache.hadoop.util.NativeCodeLoader.isNativeCodeLoaded)
        assert(processes(folder)(use(ofSpark, sparks)) >= 10)
    }
  }

  test("checkpoints elsewhere are kept by Spark's manager, with a warning") {
    inFolder { folder =>
      val elsewhere = conf
      elsewhere.set("fs.elsewhere.impl", classOf[Elsewhere].getName)
      elsewhere.set(
        SQLConf.STREAMING_CHECKPOINT_FILE_MANAGER_CLASS.parent.key,
        classOf[LocalCheckpointFileManager].getName
      )
      val warnings = Warnings.during {
        for (name <- Seq("offsets", "commits")) {
          val there = new HadoopPath(s"elsewhere://$folder/$name")
          val manager = CheckpointFileManager.create(there, elsewhere)
          assert(manager.isInstanceOf[LocalCheckpointFileManager])
          assert(manager.createCheckpointDirectory() == there)
          assert(manager.list(there).isEmpty && !manager.exists(new HadoopPath(there, "file")))
        }
      }
      assert(
        warnings == Seq(
          "spark.sql.streaming.checkpointFileManagerClass is " +
            "org.streamon.spark.checkpoint.LocalCheckpointFileManager, which supports only checkpoints in file:. " +
            "For checkpoints in elsewhere: Spark's FileSystemBasedCheckpointFileManager is used."
        )
      )
    }
  }
}

object LocalCheckpointFileManagerSuite {

  /** More than any buffer. */
  private val Size = 100000

  private def write(manager: CheckpointFileManager, to: Path, number: Int, overwrite: Boolean): Unit = {
    val stream = manager.createAtomic(new HadoopPath(to.toUri), overwrite)
    stream.write(Array.fill(Size)(number.toByte))
    stream.close()
  }

  private def read(manager: CheckpointFileManager, from: Path): Array[Byte] = {
    val stream = manager.open(new HadoopPath(from.toUri))
    try stream.readAllBytes()
    finally stream.close()
  }

  /** The number that was written, where the file is whole. */
  private def content(file: Path): Int = {
    val bytes = Files.readAllBytes(file)
    assert(bytes.length == Size && bytes.forall(_ == bytes.head))
    bytes.head & 0xff
  }

  private def together[T](threads: Int)(body: Int => T): Seq[Try[T]] = {
    val pool = Executors.newFixedThreadPool(threads)
    try
      pool
        .invokeAll((0 until threads).map(n => (() => Try(body(n))): Callable[Try[T]]).asJava)
        .asScala
        .map(_.get)
        .toSeq
    finally pool.shutdownNow()
  }

  /** Processes started meanwhile. */
  private def processes(folder: Path)(body: => Unit): Int = {
    val recording = new Recording()
    try {
      recording.enable("jdk.ProcessStart")
      recording.start()
      body
      recording.stop()
      val file = folder.resolve("recorded.jfr")
      recording.dump(file)
      RecordingFile.readAllEvents(file).size
    } finally recording.close()
  }
}

/** A file system that is not known by `FileContext`. */
final class Elsewhere extends RawLocalFileSystem {
  override def getUri: java.net.URI = java.net.URI.create("elsewhere:///")
}
