package org.streamon.spark.matching.conditions

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.classic.SparkSession
import org.streamon.spark.errors.RuleError
import org.streamon.spark.selections.SimplifyConditions

/** Rules with their conditions over the columns of some rows, in ascending order of the names. */
private[matching] final class ResolvedRules(val resolved: Seq[(NamedCondition, Expression)]) {
  val rules: Seq[NamedCondition] = resolved.map(_._1)

  def isEmpty: Boolean = rules.isEmpty
}

private[matching] object ResolvedRules {
  val empty: ResolvedRules = new ResolvedRules(Nil)

  /** @param columns
    *   of the rows; conditions may name them with the names of their tables
    * @throws RuleError
    *   for a rule that is not valid
    */
  def of(session: SparkSession, columns: Seq[Attribute], found: RuleRows.Found): ResolvedRules = {
    found.rejected.headOption.foreach(row => throw row.error)
    val resolved =
      new ResolveConditions(session, columns)(found.rules).map(_.fold(rule => throw rule.error, identity))
    in(found.rules, resolved.toMap)
  }

  /** The rules that are valid, and the others.
    *
    * @param known
    *   a set over the same columns: what it has is not resolved again
    */
  def valid(
      session: SparkSession,
      columns: Seq[Attribute],
      rules: Seq[NamedCondition],
      known: ResolvedRules
  ): (ResolvedRules, Seq[RejectedRule]) = {
    val before = known.resolved.toMap
    val (wrong, resolved) =
      new ResolveConditions(session, columns)(rules.filterNot(before.contains)).toSeq.partitionMap(identity)
    val rejected = wrong ++ uncomputable(resolved)
    (in(rules, before ++ resolved -- rejected.map(_.rule)), rejected.sortBy(_.rule))
  }

  private def in(rules: Seq[NamedCondition], conditions: Map[NamedCondition, Expression]): ResolvedRules =
    new ResolvedRules(rules.flatMap(rule => conditions.get(rule).map(rule -> _)))

  /** Rules whose constants cannot be computed. */
  def uncomputable(rules: Seq[(NamedCondition, Expression)]): Seq[RejectedRule] = {
    def failure(conditions: Seq[Expression]) = Try(SimplifyConditions(conditions)).failed.toOption
    if (failure(rules.map(_._2)).isEmpty) Nil
    else
      for ((rule, condition) <- rules; cause <- failure(Seq(condition)))
        yield RejectedRule(rule, RuleError.unresolved(rule.rule, rule.condition, cause))
  }
}
