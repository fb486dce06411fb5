package org.streamon.spark.hints

import java.util.Locale

import scala.util.Try

import org.apache.spark.sql.catalyst.analysis.{Star, UnresolvedAttribute}
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.trees.SQLQueryContext
import org.apache.spark.sql.internal.SQLConf
import org.streamon.spark.errors.HintError
import org.streamon.spark.logical.OrderedInput
import org.apache.spark.sql.types.TimestampType

/** An input of hinted joins, with its name if it has one. */
private[hints] final case class JoinInput(name: Option[String], plan: LogicalPlan) {
  def answersTo(asked: String): Boolean = name.exists { own =>
    own.equalsIgnoreCase(asked) ||
    own.toLowerCase(Locale.ROOT).endsWith("." + asked.toLowerCase(Locale.ROOT))
  }

  /** Whether an expression reads columns of it, and of nothing else. */
  def has(e: Expression): Boolean = e.references.nonEmpty && e.references.subsetOf(plan.outputSet)

  /** Its timestamps with a watermark. A table may have been written with the metadata of a stream. */
  def eventTimes: Seq[Attribute] =
    if (!plan.isStreaming) Nil
    else
      plan.output.filter { column =>
        column.metadata.contains(EventTimeWatermark.delayKey) && column.dataType == TimestampType
      }
}

private[hints] object JoinInputs {

  /** Puts a node of a hint directly above the joins of the block, so that rules still find the operators
    * above the joins. None when the block has no joins.
    *
    * @param intoSubqueries
    *   whether the joins may be in a subquery that the block selects from
    */
  def above(block: LogicalPlan, intoSubqueries: Boolean)(node: Join => LogicalPlan): Option[LogicalPlan] =
    block match {
      case join: Join                          => Some(node(join))
      case _: SubqueryAlias if !intoSubqueries => None
      case unary: UnaryNode                    =>
        above(unary.child, intoSubqueries)(node).map(child => unary.withNewChildren(Seq(child)))
      case withTables: WithCTE =>
        above(withTables.plan, intoSubqueries)(node).map(plan => withTables.copy(plan = plan))
      case _ => None
    }

  /** The inputs of the joins at the top of a block. */
  def of(block: LogicalPlan): Seq[JoinInput] = block match {
    case join: Join                            => of(join.left) ++ of(join.right)
    case unary: UnaryNode if joinsBelow(unary) => of(unary.child)
    case other                                 => Seq(JoinInput(nameOf(other), other))
  }

  /** The block with each of its inputs replaced by a plan with the same columns. */
  def replaced(block: LogicalPlan)(f: JoinInput => LogicalPlan): LogicalPlan = block match {
    case join: Join => join.copy(left = replaced(join.left)(f), right = replaced(join.right)(f))
    case unary: UnaryNode if joinsBelow(unary) => unary.withNewChildren(Seq(replaced(unary.child)(f)))
    case other                                 => f(JoinInput(nameOf(other), other))
  }

  /** The input with this name.
    *
    * @param hint
    *   the name of the hint, for errors
    * @param allowed
    *   the inputs that the hint can name, for errors
    * @throws HintError
    *   when no input has the name, or several
    */
  def named(asked: String, inputs: Seq[JoinInput], hint: String, allowed: Seq[JoinInput]): JoinInput =
    inputs.filter(_.answersTo(asked)) match {
      case Seq(one) => one
      case Seq()    => throw HintError.unknownInput(hint, asked, allowed.flatMap(_.name))
      case several  => throw HintError.ambiguousInput(hint, asked, several.flatMap(_.name))
    }

  /** The column of an input with this name, which may be qualified by the name of the input. */
  def column(name: String, input: LogicalPlan): Option[Attribute] = {
    val resolver = SQLConf.get.resolver
    val parts =
      if (input.output.exists(a => resolver(a.name, name))) Some(Seq(name))
      else Try(UnresolvedAttribute.parseAttributeName(name)).toOption
    parts.flatMap(input.resolve(_, resolver)).collect { case column: Attribute => column }
  }

  /** Rewrites expressions of a block to the columns of its inputs, through projections between the joins. */
  def inTermsOfInputs(block: LogicalPlan): Expression => Expression = {
    def columns(plan: LogicalPlan): Seq[(Attribute, Expression)] = plan match {
      case join: Join                            => columns(join.left) ++ columns(join.right)
      case unary: UnaryNode if joinsBelow(unary) =>
        val below = columns(unary.child)
        val named = unary match {
          case Project(list, _) =>
            list.collect { case a: Alias => a.toAttribute -> replaced(a.child, AttributeMap(below)) }
          case _ => Nil
        }
        below ++ named
      case _ => Nil
    }
    val all = AttributeMap(columns(block))
    replaced(_, all)
  }

  private def replaced(e: Expression, columns: AttributeMap[Expression]): Expression =
    e.transform { case a: Attribute => columns.getOrElse(a, a) }

  /** A parameter of a hint as text: a name, or the text in quotes. */
  def asText(parameter: Any): String = parameter match {
    case Literal(value, _)         => String.valueOf(value)
    case name: UnresolvedAttribute => name.nameParts.mkString(".")
    case star: Star                => star.toString
    case e: Expression             => written(e).getOrElse(e.sql)
    case other                     => String.valueOf(other)
  }

  /** Its part of the text of the query, if it comes from one. */
  private def written(e: Expression): Option[String] = Option(e.origin.context).collect {
    case sql: SQLQueryContext if sql.isValid => sql.fragment
  }

  private def nameOf(input: LogicalPlan): Option[String] = input match {
    case alias: SubqueryAlias => Some((alias.identifier.qualifier :+ alias.identifier.name).mkString("."))
    case _: EventTimeWatermark | _: UpdateEventTimeWatermarkColumn | _: Project | _: Filter |
        _: OrderedInput =>
      nameOf(input.children.head)
    case _ => None
  }

  private def joinsBelow(plan: LogicalPlan): Boolean = plan match {
    case _: SubqueryAlias => false
    case _: Join          => true
    case unary @ (_: Project | _: Filter | _: HintedJoins | _: WindowedJoins | _: ConstrainedJoins |
        _: UnresolvedHint | _: ResolvedHint) =>
      unary.children.exists(joinsBelow)
    case _ => false
  }
}
