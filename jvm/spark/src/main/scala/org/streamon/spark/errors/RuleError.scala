package org.streamon.spark.errors

import org.apache.spark.sql.streamon.StreamonError

/** A rule of `streamon_match`, or the table of rules, is not valid. */
final class RuleError private (condition: String, text: String, cause: Option[Throwable] = None)
    extends StreamonError(condition, text, "42K0E", cause)

object RuleError {
  private val Example = "Example: rule 'late_jfk' with the condition origin = 'JFK' AND dep_delay > 60."

  def badArguments(function: String, found: Seq[String]): RuleError = new RuleError(
    "STREAMON_MATCH_ARGUMENTS",
    s"The table function $function does not support the arguments (${found.mkString(", ")}). Allowed: " +
      s"$function(TABLE(rows), TABLE(rules)), and 'arrays' or 'exploded' as a third argument. Write TABLE(...) without " +
      "PARTITION BY, ORDER BY and references to other tables of the query."
  )

  def noSuchColumns(found: Seq[String]): RuleError = new RuleError(
    "STREAMON_RULES_COLUMNS",
    s"The table of rules has the columns ${listed(found)}. Needed: the text columns rule and condition, for the name " +
      "of each rule and its condition."
  )

  def streamOfRules: RuleError = new RuleError(
    "STREAMON_RULES_STREAM",
    "The table of rules is a stream. Allowed: a table or a query that is not a stream."
  )

  def none: RuleError = new RuleError(
    "STREAMON_RULES_NONE",
    s"There are no rules. Give one rule or more. $Example"
  )

  def incomplete(rule: Option[String], condition: Option[String]): RuleError = new RuleError(
    "STREAMON_RULES_INCOMPLETE",
    s"The table of rules has a row with ${rule.fold("no name")(r => s"the name '$r'")} and " +
      s"${condition.fold("no condition")(c => s"the condition $c")}. Every rule needs a name and a condition. $Example"
  )

  def blank(rule: String, condition: String): RuleError = new RuleError(
    "STREAMON_RULES_INCOMPLETE",
    s"A rule with the name '$rule' and the condition '$condition' cannot be added. Every rule needs a name and a " +
      s"condition. $Example"
  )

  def twice(rule: String, one: String, other: String): RuleError = new RuleError(
    "STREAMON_RULES_TWICE",
    s"Two rules have the name '$rule': $one, and $other. Give each rule a name of its own."
  )

  def takenColumn(name: String): RuleError = new RuleError(
    "STREAMON_MATCH_COLUMN",
    s"The rows have a column `$name` already, and streamon_match adds a column of this name. Rename the column of the " +
      "rows."
  )

  def unparsed(rule: String, condition: String, cause: Throwable): RuleError =
    ofRule("STREAMON_RULE_SYNTAX", rule, condition, "does not parse", firstLine(cause), Some(cause))

  def unresolved(rule: String, condition: String, cause: Throwable): RuleError =
    ofRule("STREAMON_RULE_UNRESOLVED", rule, condition, "cannot be resolved", firstLine(cause), Some(cause))

  def notBoolean(rule: String, condition: String, dataType: String): RuleError = ofRule(
    "STREAMON_RULE_TYPE",
    rule,
    condition,
    s"has the type $dataType",
    "A condition must be boolean, such as a comparison."
  )

  def unsupported(rule: String, condition: String, what: String): RuleError = ofRule(
    "STREAMON_RULE_UNSUPPORTED",
    rule,
    condition,
    s"contains $what",
    "Allowed: deterministic conditions on the columns of one row, without aggregates, window functions, subqueries, " +
      "generators, aliases, and Python and SQL functions. Compute what else is needed as a column of the rows."
  )

  def tooLarge(rules: Int, bytes: Long, limit: Long): RuleError = new RuleError(
    "STREAMON_RULES_MEMORY",
    s"The sets of $rules rules take $bytes bytes in each executor, and spark.streamon.match.memory allows $limit. " +
      "Raise the limit, or match fewer rules at a time."
  )

  def badTexts(function: String, needed: String, found: Seq[String]): RuleError = new RuleError(
    "STREAMON_RULES_ARGUMENTS",
    s"The table function $function does not support the arguments (${found.mkString(", ")}). Needed: $needed, each as " +
      "text. The first is the id of a streaming query that runs."
  )

  def noQuery(id: String): RuleError = new RuleError(
    "STREAMON_RULES_QUERY",
    s"No streaming query with the id '$id' runs, or it belongs to another user. Give the id of a query that runs: " +
      "it is StreamingQuery.id."
  )

  def noRulesIn(id: String): RuleError = new RuleError(
    "STREAMON_RULES_NO_CALL",
    s"The streaming query $id has no rules. Give a query on a stream that streamon_match has returned."
  )

  def severalCalls(id: String, calls: Int): RuleError = new RuleError(
    "STREAMON_RULES_CALLS",
    s"The streaming query $id calls streamon_match $calls times, so it is not known which rules to change. Change the " +
      "tables of rules, which are read in each micro-batch, or use a query for each call."
  )

  def loggedTwice(folder: String, number: Long): RuleError = new RuleError(
    "STREAMON_RULES_LOG",
    s"The log of rules in the checkpoint, $folder, has an entry $number already: another run of the query writes to " +
      "the same checkpoint. Stop one of them."
  )

  def notLogged(folder: String, batch: Long, number: Long): RuleError = new RuleError(
    "STREAMON_RULES_REPLAY",
    s"Micro-batch $batch is run again, and its rules, number $number, are not in the log $folder. Restore the checkpoint, " +
      "or start the query with a new one."
  )

  def notReplayed(batch: Long, why: RuleError): RuleError = new RuleError(
    "STREAMON_RULES_REPLAY",
    s"Micro-batch $batch is run again, and a rule that it had is not valid any more. Restore what the rule needs, or start " +
      s"the query with a new checkpoint. ${why.getMessage}",
    Some(why)
  )

  def otherVersion(folder: String, found: String, needed: String): RuleError = new RuleError(
    "STREAMON_RULES_LOG_VERSION",
    s"The log of rules in the checkpoint, $folder, has the version '$found', and this build reads $needed. Continue with " +
      "the build of StreaMon that wrote it, or start the query with a new checkpoint."
  )

  private def ofRule(
      error: String,
      rule: String,
      condition: String,
      problem: String,
      next: String,
      cause: Option[Throwable] = None
  ) = new RuleError(error, s"The condition of the rule '$rule' $problem: $condition. $next", cause)

  private def firstLine(cause: Throwable): String =
    Option(cause.getMessage).fold(cause.toString)(_.linesIterator.find(_.trim.nonEmpty).getOrElse(""))

  private def listed(names: Seq[String]): String = names.map(n => s"`$n`").mkString(", ")
}
