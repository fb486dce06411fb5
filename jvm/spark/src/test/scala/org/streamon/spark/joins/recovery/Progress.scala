package org.streamon.spark.joins.recovery

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._
import scala.util.Using

/** How far a query has come, by the files that it has left.
  *
  * @param offsets
  *   micro-batches planned
  * @param state
  *   by partition, the latest version of its state: after micro-batch n, n + 1
  * @param sink
  *   micro-batches that the sink has
  * @param commits
  *   micro-batches done
  */
final case class Progress(offsets: Long, state: Seq[Long], sink: Long, commits: Long) {

  /** Where in a micro-batch that is. */
  def phase: String =
    if (offsets == commits) "between two batches"
    else if (sink == offsets) "after the sink, before the commit log"
    else
      state.count(_ == offsets) match {
        case 0                         => "after the offset log, before any state"
        case some if some < state.size => "between the states of two partitions"
        case _                         => "after all state, before the sink"
      }

  override def toString: String = s"$offsets planned, $commits done: $phase"
}

object Progress {

  /** @param home
    *   with `checkpoint` and `out`
    */
  def of(home: Path): Progress = {
    val checkpoint = home.resolve("checkpoint")
    Progress(
      latest(checkpoint.resolve("offsets")) + 1,
      names(checkpoint.resolve("state/0")).filter(_.forall(_.isDigit)).map { partition =>
        latest(checkpoint.resolve("state/0").resolve(partition))
      },
      math.max(latest(home.resolve("out/_spark_metadata")), complete(home.resolve("out"))) + 1,
      latest(checkpoint.resolve("commits")) + 1
    )
  }

  /** The greatest number that a name begins with; -1 when there is none. Files in the making have names that
    * begin with a dot.
    */
  private def latest(folder: Path): Long =
    names(folder).map(_.takeWhile(_.isDigit)).filter(_.nonEmpty).map(_.toLong).maxOption.getOrElse(-1L)

  /** The latest micro-batch with a folder of its own, of those that are written to the end. */
  private def complete(folder: Path): Long =
    names(folder)
      .filter(batch => batch.forall(_.isDigit) && Files.exists(folder.resolve(batch).resolve("_SUCCESS")))
      .map(_.toLong)
      .maxOption
      .getOrElse(-1L)

  private def names(folder: Path): Seq[String] =
    if (!Files.isDirectory(folder)) Nil
    else Using.resource(Files.newDirectoryStream(folder))(_.asScala.map(_.getFileName.toString).toSeq)
}
