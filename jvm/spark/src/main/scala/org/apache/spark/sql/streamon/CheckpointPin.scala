package org.apache.spark.sql.streamon

import java.util.{Collections, WeakHashMap}

import scala.util.Try

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.execution.datasources.v2.state.metadata.StateMetadataPartitionReader
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution
import org.apache.spark.util.SerializableConfiguration

/** Holds a query to the operators that its checkpoint was written with. Spark compares the names of
  * operators, which says little to a user who has set a conf.
  */
object CheckpointPin {
  private val checked = Collections.newSetFromMap(
    Collections.synchronizedMap(new WeakHashMap[StreamExecution, java.lang.Boolean])
  )

  /** Once for each run of a query, in its first micro-batch, before anything is written.
    *
    * @param joins
    *   how many MJoins its plan has
    */
  def check(session: SparkSession, joins: Int): Unit = session match {
    case s: classic.SparkSession =>
      RunningQuery.of(s).filter(checked.add(_)).foreach { query =>
        val hadoopConf = s.sessionState.newHadoopConf()
        val root = query.resolvedCheckpointRoot
        for (was <- joinsIn(root, hadoopConf) if was != joins)
          throw CheckpointError.switched(root, was, joins)
      }
    case _ => ()
  }

  /** None when nothing has been committed yet, or no operator has left metadata that can be read. */
  private def joinsIn(root: String, hadoopConf: Configuration): Option[Int] =
    lastCommit(root, hadoopConf)
      .map { batch =>
        val reader = new StateMetadataPartitionReader(root, new SerializableConfiguration(hadoopConf), batch)
        Try(reader.allOperatorStateMetadata.toSeq).getOrElse(Nil)
      }
      .filter(_.nonEmpty)
      .map(_.count(JoinStateMetadata.describes))

  private def lastCommit(root: String, hadoopConf: Configuration): Option[Long] = {
    val commits = new Path(root, "commits")
    val files = CheckpointFileManager.create(commits, hadoopConf)
    if (!files.exists(commits)) None
    else files.list(commits).flatMap(f => Try(f.getPath.getName.toLong).toOption).maxOption
  }
}
