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
  private val joinsOf = Collections.synchronizedMap(new WeakHashMap[StreamExecution, Int])

  /** In the first micro-batch of a run compares with the checkpoint, in the later ones with the first: what
    * `foreachBatch` sets in the query's session must not change the operators either. Before anything is
    * written.
    *
    * @param joins
    *   how many MJoins its plan has
    */
  def check(session: SparkSession, joins: Int): Unit = session match {
    case s: classic.SparkSession =>
      RunningQuery.of(s).foreach { query =>
        val root = query.resolvedCheckpointRoot
        val known =
          if (joinsOf.containsKey(query)) Some(joinsOf.get(query))
          else Try(joinsIn(root, s.sessionState.newHadoopConf())).toOption.flatten
        joinsOf.putIfAbsent(query, joins)
        for (was <- known if was != joins) throw CheckpointError.switched(root, was, joins)
      }
    case _ => ()
  }

  /** None when nothing has been committed yet, or no operator has left metadata. */
  private def joinsIn(root: String, hadoopConf: Configuration): Option[Int] =
    lastCommit(root, hadoopConf)
      .map { batch =>
        val reader = new StateMetadataPartitionReader(root, new SerializableConfiguration(hadoopConf), batch)
        reader.allOperatorStateMetadata.toSeq
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
