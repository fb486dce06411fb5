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
      TaskContext.get() != null &&
        path.matches(s".*/checkpoint/state/0/$partition/${batch + 1}(_[^/]*)?\\.(zip|changelog)")
  }

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
