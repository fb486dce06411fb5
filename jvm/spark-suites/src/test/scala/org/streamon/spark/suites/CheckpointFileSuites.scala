package org.streamon.spark.suites

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.SparkConf
import org.apache.spark.sql.execution.streaming.{
  CheckpointFileManagerTestsOnLocalFs,
  ChecksumCheckpointFileManagerSuite,
  FileStreamSinkLogSuite,
  HDFSMetadataLogSuite,
  OffsetSeqLogSuite
}
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streaming.CommitLogSuite
import org.apache.spark.sql.test.SharedSparkSession
import org.streamon.spark.checkpoint.LocalCheckpointFileManager

class LocalCheckpointFileManagerSuite extends CheckpointFileManagerTestsOnLocalFs {
  override def createManager(path: Path): CheckpointFileManager =
    new LocalCheckpointFileManager(path, new Configuration())
}

/** Below the checksums that Spark keeps of state files. */
class LocalChecksumCheckpointFileManagerSuite extends ChecksumCheckpointFileManagerSuite {
  override def createNoChecksumManager(path: Path): CheckpointFileManager =
    new LocalCheckpointFileManager(path, new Configuration())
}

/** Runs a published suite of Spark with the logs of queries kept by [[LocalCheckpointFileManager]]. */
trait InLocalFiles extends SharedSparkSession {
  override protected def sparkConf: SparkConf = super.sparkConf.set(
    SQLConf.STREAMING_CHECKPOINT_FILE_MANAGER_CLASS.parent.key,
    classOf[LocalCheckpointFileManager].getName
  )

  test("the logs are kept by it") {
    val manager = CheckpointFileManager.create(new Path("logs"), spark.sessionState.newHadoopConf())
    assert(manager.isInstanceOf[LocalCheckpointFileManager])
  }
}

class LocalHDFSMetadataLogSuite extends HDFSMetadataLogSuite with InLocalFiles
class LocalOffsetSeqLogSuite extends OffsetSeqLogSuite with InLocalFiles
class LocalCommitLogSuite extends CommitLogSuite with InLocalFiles
class LocalFileStreamSinkLogSuite extends FileStreamSinkLogSuite with InLocalFiles
