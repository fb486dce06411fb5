package org.streamon.spark.matching.streams

import org.streamon.spark.matching.conditions.NamedCondition

/** What users have added to the rules of a table, and removed from them, while a query runs. Kept in the
  * checkpoint. Not thread-safe.
  */
private[streams] final class RuleEdits(log: RuleLog) {

  // Conditions by the names of their rules: they take the place of rules of the table with these names.
  private var added = Map.empty[String, String]

  // Names that the table had when they were removed.
  private var removed = Set.empty[String]

  log.edits.foreach { case LoggedEdits(added, removed) =>
    this.added = added
    this.removed = removed.toSet
  }

  // The rules of the table to which this was applied last, and what they came to.
  private var latest = Option.empty[(Seq[NamedCondition], Seq[NamedCondition])]

  /** The rules of a table with these changes.
    *
    * @param table
    *   in ascending order of the names, as the result is
    */
  def applied(table: Seq[NamedCondition]): Seq[NamedCondition] =
    if (added.isEmpty && removed.isEmpty) table
    else
      latest.collect { case (of, rules) if of eq table => rules }.getOrElse {
        val kept = table.filterNot(r => removed(r.rule) || added.contains(r.rule))
        val rules = (kept ++ added.map { case (rule, condition) => NamedCondition(rule, condition) }).sorted
        latest = Some(table -> rules)
        rules
      }

  def hasAdded(rule: NamedCondition): Boolean = added.get(rule.rule).contains(rule.condition)

  /** Whether users have added a rule of this name, or removed it. */
  def mentions(rule: String): Boolean = added.contains(rule) || removed(rule)

  def add(rule: NamedCondition): Unit = change(added + (rule.rule -> rule.condition), removed - rule.rule)

  def remove(rule: String, isInTable: Boolean): Unit =
    change(added - rule, if (isInTable) removed + rule else removed)

  /** It is in the checkpoint when this returns. */
  private def change(added: Map[String, String], removed: Set[String]): Unit = {
    log.record(LoggedEdits(added, removed.toArray.sorted))
    this.added = added
    this.removed = removed
    latest = None
    log.purgeEdits()
  }
}
