package org.streamon.spark.matching.streams

import org.apache.spark.sql.classic.SparkSession
import org.streamon.spark.errors.RuleError
import org.streamon.spark.matching.conditions.NamedCondition

/** The rules of each micro-batch, in the checkpoint of the query. A micro-batch that is run again uses the
  * rules that it had.
  *
  * Rules are written when they change; each micro-batch has a small file with the number of its rules.
  *
  * @param folder
  *   in the checkpoint
  * @param kept
  *   micro-batches to keep
  */
private[streams] final class RuleLog(session: SparkSession, folder: String, kept: Int) {
  private val batches = new VersionedLog[LoggedBatch](session, s"$folder/batches")
  private val sets = new VersionedLog[LoggedRules](session, s"$folder/sets")
  private val changes = new VersionedLog[LoggedEdits](session, s"$folder/changes")

  // The latest micro-batch that other runs of the query have planned.
  private val before = batches.getLatestBatchId()

  // The latest rules that have been written, and their number.
  private var latest: Option[(Long, Seq[NamedCondition])] =
    sets.getLatest().map { case (number, rules) => number -> rules.sorted }

  /** Whether no run of the query has planned a micro-batch. */
  def isNew: Boolean = before.isEmpty

  /** The rules of a micro-batch that another run of the query has planned.
    *
    * @throws RuleError
    *   if they are not in the log
    */
  def of(batch: Long): Option[Seq[NamedCondition]] =
    if (before.forall(_ < batch)) None
    else
      batches.get(batch).map { entry =>
        sets.get(entry.rules).getOrElse(throw RuleError.notLogged(folder, batch, entry.rules)).sorted
      }

  /** Before a micro-batch is run. */
  def record(batch: Long, rules: Seq[NamedCondition]): Unit = {
    val number =
      latest.collect { case (number, same) if same == rules => number }.getOrElse(write(batch, rules))
    if (!batches.add(batch, LoggedBatch(number))) throw RuleError.loggedTwice(folder, batch)
    batches.purge(batch - kept)
  }

  /** The number of the rules. Those that no micro-batch of the log has any more are dropped. */
  private def write(batch: Long, rules: Seq[NamedCondition]): Long = {
    val number = latest.fold(0L)(_._1 + 1)
    if (!sets.add(number, LoggedRules(rules.map(r => r.rule -> r.condition).toMap)))
      throw RuleError.loggedTwice(folder, batch)
    latest = Some((number, rules))
    batches.get(batch - kept).foreach(oldest => sets.purge(oldest.rules))
    number
  }

  /** What users have changed. */
  def edits: Option[LoggedEdits] = changes.getLatest().map(_._2)

  def record(edits: LoggedEdits): Unit = {
    val number = changes.getLatestBatchId().fold(0L)(_ + 1)
    if (!changes.add(number, edits)) throw RuleError.loggedTwice(folder, number)
  }

  /** Drops what users had changed before their latest change. */
  def purgeEdits(): Unit = changes.getLatestBatchId().foreach(changes.purge)
}
