package org.streamon.spark.errors

import org.apache.spark.sql.streamon.StreamonError

/** A checkpoint with which the query cannot go on. */
final class CheckpointError private (condition: String, text: String, cause: Option[Throwable] = None)
    extends StreamonError(condition, text, "42K03", cause)

object CheckpointError {
  def changed(path: String, part: String, was: String, is: String): CheckpointError = new CheckpointError(
    "STREAMON_CHECKPOINT_OTHER_JOIN",
    s"The state in $path is that of an MJoin with $part $was; the query now has $is. Restore the query, or start " +
      "it with a new checkpoint."
  )

  def switched(path: String, was: Int, is: Int): CheckpointError = new CheckpointError(
    "STREAMON_CHECKPOINT_SWITCHED",
    s"The checkpoint $path was written with ${counted(was)} and the query now has ${counted(is)}. The state of one " +
      "is not that of the other: restore the hint MJOIN and spark.streamon.join.enabled as they were then, or " +
      "start with a new checkpoint."
  )

  def unreadable(path: String, why: Throwable): CheckpointError = new CheckpointError(
    "STREAMON_CHECKPOINT_UNREADABLE",
    s"The checkpoint $path cannot be read, so it is not known with how many MJoins it was written. Start the query " +
      s"again when its files can be read, or with a new checkpoint. The cause: $why",
    Some(why)
  )

  /** @param constraint
    *   a CA that is declared
    */
  def countedFromLatest(path: String, constraint: String, k: Long): CheckpointError = new CheckpointError(
    "STREAMON_CHECKPOINT_OTHER_CA",
    s"The checkpoint $path counted the k of CA from the latest row of a key; now it is counted from the first. So " +
      s"$constraint, declared with k = $k, may be another constraint than it was. Declare as k the rows with other " +
      "keys from a key's first row to its last, and start with a new checkpoint, or drop the declaration."
  )

  private def counted(joins: Int): String = joins match {
    case 0 => "no MJoin"
    case 1 => "one MJoin"
    case n => s"$n MJoins"
  }

  def otherPartitions(partition: Int, partitions: Int, was: Int, of: Int): CheckpointError =
    new CheckpointError(
      "STREAMON_CHECKPOINT_OTHER_PARTITIONS",
      s"The state of partition $partition of $partitions was written as that of partition $was of $of. An MJoin " +
        "cannot be rescaled: start it with a new checkpoint."
    )
}
