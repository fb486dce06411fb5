package org.streamon.spark.errors

import org.apache.spark.sql.streamon.StreamonError

/** A query cannot continue from its checkpoint. */
final class CheckpointError private (condition: String, text: String, cause: Option[Throwable] = None)
    extends StreamonError(condition, text, "42K03", cause)

object CheckpointError {
  def changed(path: String, part: String, was: String, is: String): CheckpointError = new CheckpointError(
    "STREAMON_CHECKPOINT_OTHER_JOIN",
    s"The state in $path belongs to an MJoin with $part $was, but the query now has $part $is. Restore the query, or " +
      "start it with a new checkpoint."
  )

  def switched(path: String, was: Int, is: Int): CheckpointError = new CheckpointError(
    "STREAMON_CHECKPOINT_SWITCHED",
    s"The checkpoint $path was written with ${counted(was)}, but the query now has ${counted(is)}. MJoins " +
      "and Spark's own joins cannot read each other's state. Restore the hints MJOIN and STREAM_WINDOW and the " +
      "settings spark.streamon.enabled, spark.streamon.join.enabled and spark.sql.ansi.enabled as they were, or " +
      "start the query with a new checkpoint."
  )

  def unreadable(path: String, why: Throwable): CheckpointError = new CheckpointError(
    "STREAMON_CHECKPOINT_UNREADABLE",
    s"The checkpoint $path cannot be read, so the number of its MJoins is unknown. Start the query again when the " +
      s"files can be read, or start it with a new checkpoint. Cause: $why",
    Some(why)
  )

  /** @param constraint
    *   a CA that is declared
    */
  def countedFromLatest(path: String, constraint: String, k: Long): CheckpointError = new CheckpointError(
    "STREAMON_CHECKPOINT_OTHER_CA",
    s"An earlier build wrote the checkpoint $path. It counted the k of CA from the latest row of a key; this build " +
      s"counts it from the first row. So $constraint, declared with k = $k, may now be a different constraint. " +
      "Declare as k the number of rows with other keys from the first row of a key to its last row, and start with " +
      "a new checkpoint. Or remove the declaration."
  )

  private def counted(joins: Int): String = joins match {
    case 0 => "no MJoin"
    case 1 => "one MJoin"
    case n => s"$n MJoins"
  }

  def otherPartitions(partition: Int, partitions: Int, was: Int, of: Int): CheckpointError =
    new CheckpointError(
      "STREAMON_CHECKPOINT_OTHER_PARTITIONS",
      s"The state of partition $partition of $partitions was written as partition $was of $of. An MJoin cannot be " +
        "repartitioned. Start the query with a new checkpoint. If a later build of StreaMon wrote this checkpoint, " +
        "you can also continue with that build."
    )
}
