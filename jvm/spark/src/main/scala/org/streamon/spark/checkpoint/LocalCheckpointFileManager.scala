package org.streamon.spark.checkpoint

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs._
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager.CancellableFSDataOutputStream
import org.apache.spark.sql.internal.SQLConf
import org.streamon.spark.util.LogOnce

/** Writes a checkpoint on a local disk without starting processes. Without Hadoop's native library, Hadoop
  * starts `chmod` and `readlink` for each file, up to ten times. Users set
  * `spark.sql.streaming.checkpointFileManagerClass` to this class. They can set and unset it between two
  * starts of a query: apart from Hadoop's checksums, Spark's own managers write the same files.
  *
  * A checkpoint outside `file:` is left to Spark's own manager, with a warning.
  *
  * @param path
  *   the checkpoint, or a folder in it
  */
final class LocalCheckpointFileManager(path: Path, conf: Configuration) extends CheckpointFileManager {
  private val manager: CheckpointFileManager =
    LocalCheckpointFiles.of(path, conf).getOrElse(LocalCheckpointFileManager.ofSpark(path, conf))

  override def createAtomic(path: Path, overwriteIfPossible: Boolean): CancellableFSDataOutputStream =
    manager.createAtomic(path, overwriteIfPossible)

  override def open(path: Path): FSDataInputStream = manager.open(path)
  override def list(path: Path, filter: PathFilter): Array[FileStatus] = manager.list(path, filter)
  override def mkdirs(path: Path): Unit = manager.mkdirs(path)
  override def exists(path: Path): Boolean = manager.exists(path)
  override def delete(path: Path): Unit = manager.delete(path)
  override def isLocal: Boolean = manager.isLocal
  override def createCheckpointDirectory(): Path = manager.createCheckpointDirectory()
  override def close(): Unit = manager.close()
}

private object LocalCheckpointFileManager {
  private val Key = SQLConf.STREAMING_CHECKPOINT_FILE_MANAGER_CLASS.parent.key

  /** The manager that Spark takes when none is named. */
  private def ofSpark(path: Path, conf: Configuration): CheckpointFileManager = {
    val unnamed = new Configuration(conf)
    unnamed.unset(Key)
    val manager = CheckpointFileManager.create(path, unnamed)
    LogOnce.warn(
      s"$Key is ${classOf[LocalCheckpointFileManager].getName}, which supports only checkpoints in file:. For " +
        s"checkpoints in ${LocalCheckpointFiles.scheme(path, conf)}: Spark's ${manager.getClass.getSimpleName} is used."
    )
    manager
  }
}
