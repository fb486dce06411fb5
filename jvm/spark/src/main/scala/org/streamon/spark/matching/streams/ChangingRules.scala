package org.streamon.spark.matching.streams

import scala.util.control.NonFatal

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.streamon.{MicroBatch, RunningQuery}
import org.streamon.spark.errors.RuleError
import org.streamon.spark.matching.conditions._
import org.streamon.spark.util.LogOnce

/** The rules of one call of `streamon_match` in a running query. Thread-safe: the query plans its
  * micro-batches in one thread, and users add and remove rules in others.
  *
  * @param session
  *   in which the query runs its micro-batches
  * @param newLog
  *   in the checkpoint of the query
  */
private[matching] final class ChangingRules(
    val source: RuleSource,
    session: SparkSession,
    newLog: => RuleLog
) {
  private lazy val log = newLog
  private lazy val edits = new RuleEdits(log)

  private var table = source.found
  private var inForce = source.initial
  private var planned = Option.empty[Long]

  // Why the rules in force are not those that they should be.
  private var unread = Option.empty[String]
  private var refused = Option.empty[(Seq[NamedCondition], String)]

  /** Those of a micro-batch, which may be planned several times. If it has been planned in another run, they
    * are in the log. Else they are read from the table. Where that fails, the rules stay as they are.
    *
    * @throws RuleError
    *   for a rule that is not valid, in a new query and in the log
    */
  def of(batch: MicroBatch): RulesInForce = {
    if (!synchronized(planned.contains(batch.id))) {
      val logged = synchronized(log.of(batch.id))
      if (logged.isEmpty && !source.isConstant) readAgain(batch)
      synchronized {
        // Else a run would log rules with which no run can go on.
        if (planned.isEmpty) source.initial.plan.checkMemory()
        logged match {
          case Some(rules) => replay(batch.id, rules)
          case None        =>
            adopt(edits.applied(table.rules))
            if (log.isNew && planned.isEmpty)
              (table.rejected ++ inForce.rejected).headOption.foreach(bad => throw bad.error)
            log.record(batch.id, inForce.set.rules)
        }
        planned = Some(batch.id)
      }
    }
    synchronized(inForce)
  }

  /** Without the lock: it may take long. */
  private def readAgain(batch: MicroBatch): Unit =
    try {
      val found = RuleRows.readAgain(session, source.table, table)
      synchronized {
        table = found
        unread = None
      }
    } catch {
      case NonFatal(error) if !batch.isStopped(error) =>
        warn(error)
        synchronized { unread = Some(error.getMessage) }
    }

  private def adopt(wanted: Seq[NamedCondition]): Unit =
    // A rule that is rejected may be valid by now: its function may have been made.
    if (wanted == inForce.wanted && inForce.rejected.isEmpty) refused = None
    else if (!refused.exists(_._1 == wanted))
      try {
        val (set, rejected) = ResolvedRules.valid(session, source.rows.output, wanted, inForce.set)
        for (rule <- rejected) LogOnce.warn(session, s"A rule is left out. ${rule.error.getMessage}")
        replace(new RulesInForce(wanted, set, rejected, planOf(set)))
        refused = None
      } catch {
        case NonFatal(error) =>
          warn(error)
          refused = Some(wanted -> error.getMessage)
      }

  private def replay(batch: Long, rules: Seq[NamedCondition]): Unit =
    if (rules != inForce.set.rules) {
      val (set, rejected) = ResolvedRules.valid(session, source.rows.output, rules, inForce.set)
      rejected.headOption.foreach(rule => throw RuleError.notReplayed(batch, rule.error))
      replace(new RulesInForce(rules, set, Nil, planOf(set)))
    }

  private def planOf(set: ResolvedRules): MatchPlan =
    if (set.rules == inForce.set.rules) inForce.plan
    else {
      val plan = MatchPlan(source.rows, set, session.sessionState.conf)
      plan.checkMemory()
      plan
    }

  /** The plan to begin with stays: other queries on the same frame have it too. */
  private def replace(by: RulesInForce): Unit = {
    if ((by.plan ne inForce.plan) && (inForce ne source.initial)) inForce.plan.release()
    inForce = by
  }

  private def warn(error: Throwable): Unit =
    LogOnce.warn(session, "The rules of a streamon_match stay as they are", error)

  /** Adds a rule, or gives another condition to the rule of this name, from the next micro-batch on. Again
    * does nothing.
    *
    * @throws RuleError
    *   if it is not valid
    */
  def add(rule: NamedCondition): Unit = synchronized {
    if (!edits.hasAdded(rule)) {
      if (!rule.isComplete) throw RuleError.blank(rule.rule, rule.condition)
      val (_, rejected) =
        RunningQuery.in(session)(
          ResolvedRules.valid(session, source.rows.output, Seq(rule), ResolvedRules.empty)
        )
      rejected.headOption.foreach(wrong => throw wrong.error)
      edits.add(rule)
    }
  }

  /** Leaves a rule out, from the next micro-batch on. One that is not there is left out already. */
  def remove(rule: String): Unit = synchronized {
    if (statuses.exists(_.rule.rule == rule)) {
      val isInTable = table.rules.exists(_.rule == rule) || table.rejected.exists(_.rule.rule == rule)
      edits.remove(rule, isInTable)
    }
  }

  /** In ascending order of the names. */
  def statuses: Seq[RuleStatus] = synchronized {
    val problem = unread.orElse(refused.map(_._2))
    val rejected = inForce.rejected.map(r => r.rule -> r.error.getMessage).toMap
    val valid = inForce.set.rules.toSet
    val known = edits.applied(table.rules).map { rule =>
      if (valid(rule)) RuleStatus(rule, RuleStatus.Active, problem)
      else if (rejected.contains(rule)) RuleStatus(rule, RuleStatus.Rejected, rejected.get(rule))
      else RuleStatus(rule, RuleStatus.Waiting, problem)
    }
    // Those that are to go, and cannot.
    val left = if (problem.isEmpty) Nil else inForce.set.rules.diff(known.map(_.rule))
    val rows = table.rejected.filterNot(r => edits.mentions(r.rule.rule))
    val others = left.map(RuleStatus(_, RuleStatus.Active, problem)) ++
      rows.map(r => RuleStatus(r.rule, RuleStatus.Rejected, Some(r.error.getMessage)))
    (known ++ others).sortBy(_.rule)
  }
}

/** A rule of a running query.
  *
  * @param state
  *   `active` in the latest micro-batch, `waiting` for the next one, or `rejected`
  * @param reason
  *   why it is rejected, or why the rules have not been changed
  */
private[matching] final case class RuleStatus(rule: NamedCondition, state: String, reason: Option[String])

private[matching] object RuleStatus {
  val Active = "active"
  val Waiting = "waiting"
  val Rejected = "rejected"
}
