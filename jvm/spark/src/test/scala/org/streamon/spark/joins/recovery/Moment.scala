package org.streamon.spark.joins.recovery

import org.apache.spark.TaskContext

/** A moment in a micro-batch: when a file of the checkpoint gets its name.
  *
  * @param there
  *   just after it, not just before
  */
sealed abstract class Moment(val name: String, val there: Boolean) {

  /** Whether the moment, in a given micro-batch, has come when this file gets its name. */
  def is(batch: Long, path: String): Boolean

  override def toString: String = (if (there) "after " else "before ") + name
}

object Moment {
  final class Log(folder: String, there: Boolean) extends Moment(s"the file in $folder", there) {
    override def is(batch: Long, path: String): Boolean = path.endsWith(s"/checkpoint/$folder/$batch")
  }

  /** Snapshots that Spark makes in the background do not count. */
  final class State(partition: Int, there: Boolean)
      extends Moment(s"the state of partition $partition", there) {
    override def is(batch: Long, path: String): Boolean =
      TaskContext.get() != null && place(path, there).contains(at(batch))

    /** As a place of a [[org.streamon.spark.cluster.Gate]]. */
    def at(batch: Long): String = place(partition.toString, (batch + 1).toString, there)
  }

  /** The place that a file of the state is, when it gets its name. */
  def place(path: String, there: Boolean): Option[String] = path match {
    case StateFile(partition, version) => Some(place(partition, version, there))
    case _                             => None
  }

  private def place(partition: String, version: String, there: Boolean) =
    s"partition $partition, version $version, ${if (there) "after" else "before"}"

  private val StateFile = """.*/checkpoint/state/0/(\d+)/(\d+)(?:_[^/]*)?\.(?:zip|changelog)""".r

  val all: Seq[Moment] = for {
    there <- Seq(false, true)
    moment <- Seq(
      new Log("offsets", there),
      new State(0, there),
      new State(1, there),
      new Log("commits", there)
    )
  } yield moment
}
