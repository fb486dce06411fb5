package org.streamon.spark.sharing

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Filter, LogicalPlan, Project}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.spark.errors.Refusal
import org.streamon.spark.expressions.MayRaise

/** Computes arrays of CASE ([[CaseArray]]) once for each row. Spark brings a filter on such an array below
  * the projection that computes it, and then computes it twice.
  */
private[sharing] final class ShareArrays(conf: SQLConf) extends PredicateHelper {
  import ShareArrays._

  private val least = conf.getConf(StreamonConf.MatchShareLeast)
  private val matchedRows = new MatchedRows(conf)

  /** None where a plan has no such array in its expressions.
    *
    * @param readsAll
    *   whether the query reads all rows of the plan
    */
  def apply(plan: LogicalPlan, readsAll: Boolean): Option[Either[Refusal, LogicalPlan]] =
    spotOf(plan, readsAll).flatMap { spot =>
      val arrays = spot.expressions.flatMap(arraysIn).distinctBy(_.key)
      Option.when(arrays.nonEmpty) {
        val (large, small) = arrays.partition(_.cases.size >= least)
        if (large.isEmpty) Left(Refusal.TooFewConditions(small.map(_.cases.size).max, least))
        else large.foldLeft[Either[Refusal, Spot]](Right(spot))((s, a) => s.flatMap(share(_, a))).map(_.plan)
      }
    }

  private def spotOf(plan: LogicalPlan, readsAll: Boolean): Option[Spot] = plan match {
    case top @ (_: Project | _: Aggregate) =>
      top.children.head match {
        case Filter(condition, rows) =>
          Some(Spot(Some(top), top.output, splitConjunctivePredicates(condition), rows, readsAll))
        case rows => Some(Spot(Some(top), top.output, Nil, rows, readsAll))
      }
    case Filter(condition, rows) =>
      Some(Spot(None, plan.output, splitConjunctivePredicates(condition), rows, readsAll))
    case _ => None
  }

  private def share(spot: Spot, array: CaseArray): Either[Refusal, Spot] = {
    def hasIt(e: Expression) = arraysIn(e).exists(_.key == array.key)
    val raising = array.cases.map(_._2).find(MayRaise(_))
    // Conditions that are written before stay before: they may guard it.
    val (before, rest) = spot.conjuncts.span(!hasIt(_))
    if (raising.nonEmpty && rest.isEmpty && !isAlwaysComputed(spot, array))
      Left(Refusal.MayRaiseEarly(raising.get.sql))
    else if (spot.rows.isStreaming) Left(Refusal.StreamOfRows)
    else {
      val matched = AttributeReference("matched", array.dataType, nullable = false)()
      def replaced(e: Expression) = e.transformDown { case CaseArray(a) if a.key == array.key => matched }
      val top = spot.top.map(_.transformExpressionsDown {
        case CaseArray(a) if a.key == array.key => matched
      })
      val (notEmpty, after) = rest.map(replaced).partition(isNotEmpty(_, matched))
      val below = before.reduceOption(And(_, _)).fold(spot.rows)(Filter(_, spot.rows))
      val needed = AttributeSet(after.flatMap(_.references)) ++
        top.fold(AttributeSet(spot.output))(t => AttributeSet(t.expressions.flatMap(_.references)))
      matchedRows(below, array.cases, needed, matched, keepsAll = notEmpty.isEmpty).map { matching =>
        spot.copy(top = top, conjuncts = after, rows = matching)
      }
    }
  }
}

private object ShareArrays {

  /** Where arrays are computed: in an operator, in a filter directly below it, or in both.
    *
    * @param top
    *   the operator; none for a filter alone
    * @param output
    *   of the whole
    * @param conjuncts
    *   of the filter, in written order
    * @param readsAll
    *   whether the query reads all rows of the whole
    */
  final case class Spot(
      top: Option[LogicalPlan],
      output: Seq[Attribute],
      conjuncts: Seq[Expression],
      rows: LogicalPlan,
      readsAll: Boolean
  ) {
    def expressions: Seq[Expression] = top.toSeq.flatMap(_.expressions) ++ conjuncts

    def plan: LogicalPlan = {
      val filtered = conjuncts.reduceOption(And(_, _)).fold(rows)(Filter(_, rows))
      top.fold[LogicalPlan](Project(output, filtered))(_.withNewChildren(Seq(filtered)))
    }
  }

  /** In a lambda function it may read variables. */
  def arraysIn(e: Expression): Seq[CaseArray] = e match {
    case CaseArray(array)  => Seq(array)
    case _: LambdaFunction => Nil
    case _                 => e.children.flatMap(arraysIn)
  }

  /** Whether the array is computed for each row. An operator above that drops rows may have them dropped
    * before. A projection computes the first operand of an expression, and not always the others.
    */
  def isAlwaysComputed(spot: Spot, array: CaseArray): Boolean = spot.readsAll && spot.top.exists {
    case project: Project => project.projectList.exists(isFirst(_, array))
    case _                => false
  }

  private def isFirst(e: Expression, array: CaseArray): Boolean = e match {
    case CaseArray(found) => found.key == array.key
    case _                => e.children.headOption.exists(isFirst(_, array))
  }

  def isNotEmpty(condition: Expression, array: Attribute): Boolean = {
    def isSize(e: Expression) = e match {
      // As array_compact has it.
      case Size(KnownNotContainsNull(a), _) => a.semanticEquals(array)
      case Size(a, _)                       => a.semanticEquals(array)
      case _                                => false
    }
    condition match {
      case GreaterThan(s, Literal(0, _))        => isSize(s)
      case LessThan(Literal(0, _), s)           => isSize(s)
      case GreaterThanOrEqual(s, Literal(1, _)) => isSize(s)
      case LessThanOrEqual(Literal(1, _), s)    => isSize(s)
      case Not(EqualTo(s, Literal(0, _)))       => isSize(s)
      case _                                    => false
    }
  }
}
