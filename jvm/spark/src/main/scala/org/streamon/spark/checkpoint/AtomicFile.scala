package org.streamon.spark.checkpoint

import java.io.{BufferedOutputStream, IOException, OutputStream}
import java.nio.file.{FileAlreadyExistsException, Files, Path}
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.util.UUID

import org.apache.spark.TaskContext
import org.apache.spark.internal.Logging
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager.CancellableFSDataOutputStream

/** A file that is there as a whole when this is closed, and not before.
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

  /** Raises nothing: it is called where something else has gone wrong. */
  override def cancel(): Unit = end(attempt(super.close()))

  /** Leaves nothing of `from`, whatever comes. */
  private def end(how: => Unit): Unit = synchronized {
    if (!ended) {
      ended = true
      try how
      finally attempt(Files.deleteIfExists(from))
    }
  }

  private def attempt(body: => Any): Unit =
    try body
    catch { case failed: IOException => logWarning(s"The temporary file $from may be left", failed) }

  private def replace(): Unit = {
    forgetChecksum()
    Files.move(from, to, ATOMIC_MOVE)
  }

  /** A link is made only where there is no file. On a disk without links the file is looked for first, as
    * Hadoop does.
    */
  private def add(): Unit = {
    if (Files.exists(to)) throw alreadyThere
    forgetChecksum()
    try link(to, from)
    catch {
      case _: FileAlreadyExistsException                     => throw alreadyThere
      case _: UnsupportedOperationException | _: IOException =>
        if (Files.exists(to)) throw alreadyThere
        Files.move(from, to, ATOMIC_MOVE)
    }
  }

  protected def link(to: Path, from: Path): Unit = Files.createLink(to, from)

  /** What Hadoop has left beside a file that was here: it would find that it does not fit the new one. Before
    * that is here, since without one Hadoop checks nothing.
    */
  private def forgetChecksum(): Unit = Files.deleteIfExists(to.resolveSibling(s".${to.getFileName}.crc"))

  private def alreadyThere =
    new org.apache.hadoop.fs.FileAlreadyExistsException(s"$to is there already")
}

private object AtomicFile {

  /** As Spark names it. */
  def temporary(to: Path): Path = {
    val task = Option(TaskContext.get()).fold("")(context => s".TID${context.taskAttemptId()}")
    to.resolveSibling(s".${to.getFileName}.${UUID.randomUUID}$task.tmp")
  }
}
