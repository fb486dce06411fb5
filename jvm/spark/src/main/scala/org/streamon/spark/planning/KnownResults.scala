package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute, AttributeSet, NamedExpression}
import org.apache.spark.sql.execution.{FilterExec, ProjectExec, SparkPlan}
import org.apache.spark.sql.execution.python.EvalPythonExec
import org.apache.spark.sql.streamon.PythonFunctions

/** Results of functions that both a filter and the query above it read, as in
  * `SELECT f(x) ... WHERE f(x) > 3`. Spark calls such functions again in a node above the filter.
  *
  * @param again
  *   for each column of that node, the column of the filter with the same result
  */
final class KnownResults private (
    val node: EvalPythonExec,
    project: ProjectExec,
    again: Seq[(Attribute, Attribute)]
) {

  /** What is read above the filter. */
  def read: AttributeSet = AttributeSet(project.projectList.flatMap(_.references) ++ again.map(_._2))

  /** The node over what comes in the place of the filter, without the calls that would be made again. */
  def over(adapted: SparkPlan): SparkPlan = {
    val results = again.map(_._2)
    val below = project.copy(projectList = project.projectList ++ results, child = adapted)
    val left =
      node.udfs.zip(node.resultAttrs).filterNot { case (_, a) => again.exists(_._1.exprId == a.exprId) }
    val rest = if (left.isEmpty) below else PythonFunctions.calling(node, left, below)
    ProjectExec(node.output.map(named), rest)
  }

  private def named(column: Attribute): NamedExpression =
    again
      .collectFirst { case (a, result) if a.exprId == column.exprId => Alias(result, a.name)(a.exprId) }
      .getOrElse(column)
}

object KnownResults {

  /** A node that has a call in common with the filter below it, and that filter. */
  def unapply(plan: SparkPlan): Option[(FilterExec, KnownResults)] = plan match {
    case node: EvalPythonExec =>
      node.child match {
        case project @ ProjectExec(_, filter: FilterExec) if Calls.readsFunctions(filter) =>
          of(node, project, filter)
        case _ => None
      }
    case _ => None
  }

  private def of(node: EvalPythonExec, project: ProjectExec, filter: FilterExec) = {
    // What sees its batch gives something else for the rows that pass, which is what Spark calls it for again.
    val known = Calls.below(filter).functions.filterNot(f => PythonFunctions.seesBatch(f.udf, f.kind))
    val again = for {
      (udf, column) <- node.udfs.zip(node.resultAttrs)
      function <- known.find(f => f.udf.semanticEquals(udf) && f.kind == PythonFunctions.kind(node))
    } yield column -> function.result
    Option.when(again.nonEmpty)(filter -> new KnownResults(node, project, again))
  }
}
