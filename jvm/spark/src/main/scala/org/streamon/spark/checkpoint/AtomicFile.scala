package org.streamon.spark.checkpoint

import java.io.{BufferedOutputStream, OutputStream}
import java.nio.file.{FileAlreadyExistsException, FileSystemException, Files, Path}
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.util.UUID

import scala.util.control.NonFatal

import org.apache.spark.TaskContext
import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager.CancellableFSDataOutputStream

/** A file that is there as a whole when this is closed, and not before. A process that is killed leaves the
  * old file or the new one; nothing is forced to the disk, as Hadoop forces nothing.
  *
  * @param from
  *   where it is written, in the folder of `to`
  * @param overwrite
  *   whether a file that is there already gives way; if not, closing raises Hadoop's
  *   `FileAlreadyExistsException`, of several that write at once in all but one
  */
private class AtomicFile(out: OutputStream, from: Path, to: Path, overwrite: Boolean)
    extends CancellableFSDataOutputStream(new BufferedOutputStream(out))
    with Logging {
  private var ended = false

  override def close(): Unit = end {
    super.close()
    if (overwrite) replace() else add()
  }

  /** Raises nothing: it is called where something else has gone wrong. What is in the buffer is not written.
    */
  override def cancel(): Unit = end {
    try out.close()
    catch { case NonFatal(failed) => logWarning(s"$from could not be closed", failed) }
  }

  /** Leaves nothing of `from`, whatever comes. */
  private def end(how: => Unit): Unit = synchronized {
    if (!ended) {
      ended = true
      try how
      finally
        try Files.deleteIfExists(from)
        catch { case NonFatal(failed) => logWarning(s"$from could not be deleted", failed) }
    }
  }

  private def replace(): Unit = {
    forgetChecksum()
    Files.move(from, to, ATOMIC_MOVE)
  }

  private def add(): Unit =
    try {
      if (!Files.exists(to)) forgetChecksum()
      linkOrMove()
    } catch {
      case _: FileAlreadyExistsException =>
        throw new org.apache.hadoop.fs.FileAlreadyExistsException(s"$to is there already")
    }

  /** A link is made only where there is no file. On a disk without links a file is looked for first, as
    * Hadoop does. A network disk may say that the link is there when it has made it, and its first answer was
    * lost.
    */
  private def linkOrMove(): Unit =
    try link(to, from)
    catch {
      case there: FileAlreadyExistsException => if (!Files.isSameFile(from, to)) throw there
      case _: UnsupportedOperationException | _: FileSystemException => Files.move(from, to)
    }

  protected def link(to: Path, from: Path): Unit = Files.createLink(to, from)

  /** What Hadoop has left beside a file that was here: it would find that it does not fit the new one. Before
    * that is here, since without one Hadoop checks nothing.
    */
  private def forgetChecksum(): Unit = Files.deleteIfExists(to.resolveSibling(s".${to.getFileName}.crc"))
}

private object AtomicFile {

  /** As Spark names it. */
  def temporary(to: Path): Path = {
    val task = Option(TaskContext.get()).fold("")(context => s".TID${context.taskAttemptId()}")
    to.resolveSibling(s".${to.getFileName}.${UUID.randomUUID}$task.tmp")
  }
}
