package org.streamon.spark.checkpoint

import java.io.{File, FileNotFoundException}
import java.nio.file.{FileSystemException, FileSystems, Files, StandardOpenOption}
import java.nio.file.attribute.PosixFilePermissions

import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs._
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager.CancellableFSDataOutputStream

/** Files of a checkpoint on a local disk. What writes goes by java.nio, with the permissions that Hadoop
  * gives; the rest goes by Hadoop, which starts no process for it.
  *
  * @param fs
  *   hides Hadoop's checksums in lists, and deletes them with their files
  * @param raw
  *   reads without them, as Spark's default manager does: they may be of an earlier file
  */
private final class LocalCheckpointFiles(
    path: Path,
    conf: Configuration,
    fs: FileSystem,
    raw: RawLocalFileSystem
) extends CheckpointFileManager {
  private val umask = FsPermission.getUMask(conf)
  private val ofFile = FsPermission.getFileDefault.applyUMask(umask)
  private val ofFolder = FsPermission.getDirDefault.applyUMask(umask)

  override def createAtomic(path: Path, overwriteIfPossible: Boolean): CancellableFSDataOutputStream = {
    val to = raw.pathToFile(path).toPath
    val from = AtomicFile.temporary(to)
    val file =
      try
        new AtomicFile(
          Files.newOutputStream(from, StandardOpenOption.CREATE_NEW),
          from,
          to,
          overwriteIfPossible
        )
      catch {
        case _: FileSystemException if !Files.exists(to.getParent) =>
          throw new FileNotFoundException(s"There is no folder ${to.getParent}")
      }
    try permit(from, ofFile)
    catch {
      case NonFatal(failed) =>
        file.cancel()
        throw failed
    }
    file
  }

  override def open(path: Path): FSDataInputStream = raw.open(path)
  override def list(path: Path, filter: PathFilter): Array[FileStatus] = fs.listStatus(path, filter)
  override def exists(path: Path): Boolean = fs.exists(path)
  override def delete(path: Path): Unit = fs.delete(path, true)
  override def mkdirs(path: Path): Unit = create(raw.pathToFile(path).getAbsoluteFile)
  override def isLocal: Boolean = true

  override def createCheckpointDirectory(): Path = {
    mkdirs(path)
    fs.makeQualified(path)
  }

  private def create(folder: File): Unit = if (!folder.isDirectory) {
    Option(folder.getParentFile).foreach(create)
    try {
      Files.createDirectory(folder.toPath)
      permit(folder.toPath, ofFolder)
    } catch {
      // Somebody else was faster.
      case _: java.nio.file.FileAlreadyExistsException if folder.isDirectory => ()
    }
  }

  /** Where nothing is to be changed the call is left out: it takes from a folder that it hands its group on.
    */
  private def permit(file: java.nio.file.Path, permission: FsPermission): Unit =
    if (LocalCheckpointFiles.hasPermissions) {
      val wanted = PosixFilePermissions.fromString(permission.toString)
      if (Files.getPosixFilePermissions(file) != wanted) Files.setPosixFilePermissions(file, wanted)
    }
}

private object LocalCheckpointFiles {
  private val hasPermissions = FileSystems.getDefault.supportedFileAttributeViews.contains("posix")

  /** None where the path is not on a local disk. */
  def of(path: Path, conf: Configuration): Option[CheckpointFileManager] =
    Option.when(scheme(path, conf) == "file")(path.getFileSystem(conf)).flatMap { fs =>
      val raw = fs match {
        case checked: LocalFileSystem => checked.getRaw
        case other                    => other
      }
      Some(raw).collect { case local: RawLocalFileSystem => new LocalCheckpointFiles(path, conf, fs, local) }
    }

  def scheme(path: Path, conf: Configuration): String =
    Option(path.toUri.getScheme).getOrElse(FileSystem.getDefaultUri(conf).getScheme)
}
