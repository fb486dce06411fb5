package org.streamon.spark.execution.joins

import java.util.{Collections, WeakHashMap}

import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution
import org.apache.spark.sql.execution.streaming.state.{OperatorStateMetadataReader, OperatorStateMetadataV2}
import org.apache.spark.sql.streamon.RunningQuery
import org.streamon.spark.errors.CheckpointError

/** Checks that a query has the same number of MJoins as its checkpoint. Spark compares only the names of
  * operators, and its error does not help a user who has changed a setting.
  */
object CheckpointPin {
  private val joinsOf = Collections.synchronizedMap(new WeakHashMap[StreamExecution, Int])

  /** In the first micro-batch of a run compares with the checkpoint, in the later ones with the first: what
    * `foreachBatch` sets in the query's session must not change the operators either. Before anything is
    * written.
    *
    * @param joins
    *   how many MJoins its plan has
    * @throws CheckpointError
    *   when it is another number, or the checkpoint cannot be read
    */
  def check(session: SparkSession, joins: Int): Unit = session match {
    case s: classic.SparkSession =>
      RunningQuery.of(s).foreach { query =>
        val root = query.resolvedCheckpointRoot
        val known =
          if (joinsOf.containsKey(query)) Some(joinsOf.get(query))
          else joinsIn(root, s.sessionState.newHadoopConf())
        joinsOf.putIfAbsent(query, joins)
        for (was <- known if was != joins) throw CheckpointError.switched(root, was, joins)
      }
    case _ => ()
  }

  /** None when nothing has been committed yet, or there is no state. (Spark's own reader of metadata takes
    * those that it fails to read for none.)
    */
  private def joinsIn(root: String, hadoopConf: Configuration): Option[Int] =
    try {
      val files = CheckpointFileManager.create(new Path(root), hadoopConf)
      def numbers(folder: Path) =
        if (files.exists(folder)) files.list(folder).flatMap(_.getPath.getName.toLongOption).toSeq else Nil
      def describesMJoin(operator: Path, batch: Long) =
        numbers(OperatorStateMetadataV2.metadataDirPath(operator)).exists(_ <= batch) &&
          OperatorStateMetadataReader
            .createReader(operator, hadoopConf, 2, batch)
            .read()
            .exists(JoinStateMetadata.describes)
      val state = new Path(root, "state")
      for {
        batch <- numbers(new Path(root, "commits")).maxOption
        operators = numbers(state).map(id => new Path(state, id.toString)) if operators.nonEmpty
      } yield operators.count(describesMJoin(_, batch))
    } catch {
      case NonFatal(error) => throw CheckpointError.unreadable(root, error)
    }
}
