package org.streamon.spark.inspection

import org.apache.spark.sql.catalyst.plans.logical.{Command, LogicalPlan}

/** The record of a query that runs or has run.
  *
  * @param query
  *   the id of the streaming query, or `execution-N`
  * @param run
  *   the id of the run of the streaming query, or `execution-N`
  * @param session
  *   the session that started it
  * @param owner
  *   the user who may see it, by [[org.apache.spark.sql.streamon.SessionOwner]]
  * @param plans
  *   hashes of its plan and of each part of it
  */
private[inspection] final case class LoggedQuery(
    query: String,
    run: String,
    session: String,
    owner: Option[String],
    plans: Set[Int],
    refused: Seq[RefusedOperator] = Nil,
    adaptive: Seq[AdaptiveOperator] = Nil
) {

  /** Whether the tables have a row about its operators. */
  def hasOperators: Boolean = refused.nonEmpty || adaptive.nonEmpty

  /** About how many bytes it takes in memory. */
  def bytes: Long =
    400L + 60L * plans.size + refused.map(_.bytes).sum + adaptive.map(_.bytes).sum
}

private[inspection] object LoggedQuery {

  /** Of an analyzed plan: equal for plans that differ in the ids of expressions only. */
  def hash(plan: LogicalPlan): Int = plan.semanticHash()

  /** Of the plan and all its parts. A frame that is counted, or written, is a part of what is executed. */
  def hashes(plan: LogicalPlan): Set[Int] = {
    val all = Set.newBuilder[Int]
    def visit(of: LogicalPlan): Unit = of.foreach { part =>
      all += hash(part)
      part match {
        case command: Command => command.innerChildren.foreach { case p: LogicalPlan => visit(p); case _ => }
        case _                =>
      }
    }
    visit(plan)
    all.result()
  }
}
