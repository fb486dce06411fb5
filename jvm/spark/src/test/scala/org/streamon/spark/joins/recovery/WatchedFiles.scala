package org.streamon.spark.joins.recovery

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.execution.streaming.checkpointing.FileContextBasedCheckpointFileManager

/** The files of a checkpoint as Spark keeps them, and a test that looks on: it is called before a file gets
  * its name, and after, in the thread that renames it, and may throw there, or wait. Set by
  * `spark.sql.streaming.checkpointFileManagerClass`.
  */
final class WatchedFiles(path: Path, conf: Configuration)
    extends FileContextBasedCheckpointFileManager(path, conf) {

  override def renameTempFile(from: Path, to: Path, overwrite: Boolean): Unit = {
    WatchedFiles.watch(to.toUri.getPath, false)
    super.renameTempFile(from, to, overwrite)
    WatchedFiles.watch(to.toUri.getPath, true)
  }
}

object WatchedFiles {
  private val nobody: (String, Boolean) => Unit = (_, _) => ()

  @volatile private var watch = nobody

  val conf: (String, String) =
    "spark.sql.streaming.checkpointFileManagerClass" -> classOf[WatchedFiles].getName

  /** Has `watch` called with the path of each file that is renamed during `body`, and whether it has its name
    * already.
    */
  def watching[T](watch: (String, Boolean) => Unit)(body: => T): T = {
    this.watch = watch
    try body
    finally this.watch = nobody
  }
}
