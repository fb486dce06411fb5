package org.apache.spark.sql.streamon

import org.apache.spark.sql.AnalysisException

/** A checkpoint with which the query cannot go on. */
final class CheckpointError private (condition: String, text: String)
    extends AnalysisException(
      message = s"[$condition] $text",
      line = None,
      startPosition = None,
      cause = None,
      errorClass = Some(condition),
      messageParameters = Map.empty,
      context = Array.empty,
      sqlState = Some("42K03"),
      messageTemplate = None
    )

object CheckpointError {
  def changed(path: String, part: String, was: String, is: String): CheckpointError = new CheckpointError(
    "STREAMON_CHECKPOINT_OTHER_JOIN",
    s"The state in $path is that of an MJoin with $part $was; the query now has $is. Restore the query, or start " +
      "it with a new checkpoint."
  )

  def otherOperator(path: String, name: String): CheckpointError = new CheckpointError(
    "STREAMON_CHECKPOINT_OTHER_OPERATOR",
    s"The state in $path is that of the operator $name, and not of an MJoin. Take the hint MJOIN out of the query " +
      "and set spark.streamon.join.enabled=false, as when the checkpoint was written, or start with a new one."
  )

  def otherPartitions(partition: Int, partitions: Int, was: Int, of: Int): CheckpointError =
    new CheckpointError(
      "STREAMON_CHECKPOINT_OTHER_PARTITIONS",
      s"The state of partition $partition of $partitions was written as that of partition $was of $of. An MJoin " +
        "cannot be rescaled: start it with a new checkpoint."
    )
}
