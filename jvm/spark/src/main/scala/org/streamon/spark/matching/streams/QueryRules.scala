package org.streamon.spark.matching.streams

import java.util.{Collections, UUID, WeakHashMap}

import scala.util.Try

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution
import org.apache.spark.sql.streamon.{MicroBatch, RunningQuery, SessionOwner}
import org.streamon.spark.errors.RuleError

/** The rules of a running query.
  *
  * @param calls
  *   of each call of `streamon_match`, in the order of the plan
  */
private[matching] final class QueryRules private (val calls: Seq[ChangingRules]) {

  // Of the query; known when it has begun its first micro-batch.
  @volatile private var owner = Option.empty[Option[String]]

  /** Those of a call in a micro-batch of the query, in whose thread this is. */
  def in(batch: MicroBatch, source: RuleSource): Option[RulesInForce] = {
    if (owner.isEmpty) owner = Some(SessionOwner.of(batch.query.sparkSession))
    calls.find(_.source eq source).map(_.of(batch))
  }

  private def belongsTo(session: SparkSession, query: StreamExecution): Boolean = {
    val asking = SessionOwner.of(session)
    asking.isEmpty || owner.contains(asking) || RunningQuery.isOf(query, session)
  }
}

private[matching] object QueryRules {
  private val known = Collections.synchronizedMap(new WeakHashMap[StreamExecution, QueryRules])

  def of(query: StreamExecution): QueryRules = known.computeIfAbsent(query, make)

  // Nothing here may refer to the query, which would stay for ever.
  private def make(query: StreamExecution): QueryRules = {
    val session = RunningQuery.sessionOf(query)
    val kept = session.sessionState.conf.minBatchesToRetain
    val root = query.resolvedCheckpointRoot
    val sources = query.analyzedPlan
      .collect { case call: MatchChangingRules => call.source }
      .foldLeft(Vector.empty[RuleSource])((found, of) => if (found.exists(_ eq of)) found else found :+ of)
    new QueryRules(sources.zipWithIndex.map { case (source, number) =>
      new ChangingRules(source, session, new RuleLog(session, s"$root/streamon/rules/$number", kept))
    })
  }

  /** The calls in a query that the session may see.
    *
    * @param id
    *   of the query
    * @throws RuleError
    *   if none of this id runs, or it has no rules
    */
  def named(session: SparkSession, id: String): Seq[ChangingRules] = {
    val rules = Try(UUID.fromString(id)).toOption
      .flatMap(RunningQuery.named(session, _))
      .map(query => query -> of(query))
      .collect { case (query, rules) if rules.belongsTo(session, query) => rules }
      .getOrElse(throw RuleError.noQuery(id))
    if (rules.calls.isEmpty) throw RuleError.noRulesIn(id)
    rules.calls
  }
}
