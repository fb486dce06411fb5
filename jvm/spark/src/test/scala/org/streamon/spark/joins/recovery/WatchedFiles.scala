package org.streamon.spark.joins.recovery

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FSDataInputStream, FileStatus, Path, PathFilter}
import org.apache.spark.TaskContext
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager.CancellableFSDataOutputStream
import org.apache.spark.sql.execution.streaming.checkpointing.{
  CheckpointFileManager,
  FileContextBasedCheckpointFileManager
}
import org.apache.spark.sql.internal.SQLConf
import org.streamon.spark.checkpoint.LocalCheckpointFileManager
import org.streamon.spark.cluster.Gate

/** The files of a checkpoint, and a test that looks on: it is called before a file gets its name, and after,
  * in the thread that closes it, and may throw there, or wait. Set by
  * `spark.sql.streaming.checkpointFileManagerClass`. Under checkpoint format 1 they are kept as Spark keeps
  * them, under format 2 by StreaMon's manager.
  */
final class WatchedFiles(path: Path, conf: Configuration) extends CheckpointFileManager {
  private val files =
    if (conf.get(SQLConf.STATE_STORE_CHECKPOINT_FORMAT_VERSION.key) == "2")
      new LocalCheckpointFileManager(path, conf)
    else new FileContextBasedCheckpointFileManager(path, conf)

  override def createAtomic(path: Path, overwrite: Boolean): CancellableFSDataOutputStream = {
    val file = files.createAtomic(path, overwrite)
    val name = path.toUri.getPath
    new CancellableFSDataOutputStream(file) {
      private var ended = false
      override def cancel(): Unit = file.cancel()
      override def close(): Unit = if (!ended) {
        ended = true
        WatchedFiles.watch(name, false)
        super.close()
        WatchedFiles.watch(name, true)
      }
    }
  }

  override def open(path: Path): FSDataInputStream = files.open(path)
  override def list(path: Path, filter: PathFilter): Array[FileStatus] = files.list(path, filter)
  override def mkdirs(path: Path): Unit = files.mkdirs(path)
  override def exists(path: Path): Boolean = files.exists(path)
  override def delete(path: Path): Unit = files.delete(path)
  override def isLocal: Boolean = files.isLocal
  override def createCheckpointDirectory(): Path = files.createCheckpointDirectory()
}

object WatchedFiles {
  private val nobody: (String, Boolean) => Unit = (_, _) => ()

  /** In an executor with a process of its own, where a test cannot look on: files of state are places of its
    * gate.
    */
  private val gate: (String, Boolean) => Unit = sys.props.get(Gate.Property).fold(nobody) { folder =>
    val gate = new Gate(folder)
    (path, there) => if (TaskContext.get() != null) Moment.place(path, there).foreach(gate.pass)
  }

  @volatile private var watch = gate

  val conf: (String, String) =
    SQLConf.STREAMING_CHECKPOINT_FILE_MANAGER_CLASS.parent.key -> classOf[WatchedFiles].getName

  /** With it files of state get their names from the task that writes them. */
  val confs: Seq[(String, String)] =
    Seq(conf, "spark.sql.streaming.stateStore.fileChecksumThreadPoolSize" -> "0")

  /** Has `watch` called with the path of each file that gets its name during `body`, and whether it has it
    * already.
    */
  def watching[T](watch: (String, Boolean) => Unit)(body: => T): T = {
    this.watch = watch
    try body
    finally this.watch = gate
  }
}
