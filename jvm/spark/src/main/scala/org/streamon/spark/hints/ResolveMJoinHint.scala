package org.streamon.spark.hints

import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, Literal}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.streamon.HintError
import org.streamon.spark.planning.MJoinHint

/** Takes `MJOIN(a, b, c)` out of the plan and leaves [[HintedJoins]] where its joins are. What the names
  * stand for is known when the plan is resolved, so the rest is for [[ApplyMJoinHint]].
  */
object ResolveMJoinHint extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case UnresolvedHint(name, parameters, block) if name.equalsIgnoreCase(ApplyMJoinHint.Name) =>
      val inputs = parameters.map(asName)
      place(block, inputs).getOrElse(HintedJoins(inputs, block))
  }

  /** Just above the joins of the block, so that rules that look for the operators above them still find
    * these.
    */
  private def place(block: LogicalPlan, inputs: Seq[String]): Option[LogicalPlan] = block match {
    case join: Join       => Some(HintedJoins(inputs, join))
    case unary: UnaryNode => place(unary.child, inputs).map(child => unary.withNewChildren(Seq(child)))
    case _                => None
  }

  private def asName(parameter: Any): String = parameter match {
    case Literal(value, _)         => String.valueOf(value)
    case name: UnresolvedAttribute => name.nameParts.mkString(".")
    case e: Expression             => e.sql
    case other                     => String.valueOf(other)
  }
}

/** Stands above hinted joins until they are resolved. */
case class HintedJoins(inputs: Seq[String], child: LogicalPlan) extends UnaryNode {
  override def output: Seq[Attribute] = child.output
  override protected def withNewChildInternal(newChild: LogicalPlan): HintedJoins = copy(child = newChild)
}

/** Checks the names of `MJOIN` and marks the conditions between the inputs that it names.
  *
  * @throws HintError
  *   when it names what is no input, or no stream, or when there are fewer than two streams to join
  */
object ApplyMJoinHint extends Rule[LogicalPlan] {
  val Name = "MJOIN"

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!plan.exists(_.isInstanceOf[HintedJoins])) plan
    else
      AnalysisHelper.allowInvokingTransformsInAnalyzer {
        plan
          .transformUp {
            // A comma join has its condition in the filter above it.
            case Filter(condition, hinted: HintedJoins) if hinted.resolved =>
              resolved(hinted, Filter(condition, hinted.child))
          }
          .transformUp { case hinted: HintedJoins if hinted.resolved => resolved(hinted, hinted.child) }
      }

  private def resolved(hinted: HintedJoins, block: LogicalPlan): LogicalPlan = {
    val marked = conjunctsMarked(hinted, block)
    marked.foreach {
      case join: Join => MJoinHint.mark(join)
      case _          => ()
    }
    marked
  }

  private def conjunctsMarked(hinted: HintedJoins, block: LogicalPlan): LogicalPlan =
    if (!hinted.isStreaming) Marking.conjuncts(block)(MJoinHint.mark(_, MJoinHint(hinted.inputs)))
    else {
      val inputs = inputsOf(hinted.child)
      val named = if (hinted.inputs.isEmpty) inputs else hinted.inputs.map(find(_, inputs))
      val streams = named.filter(_.plan.isStreaming)
      if (streams.size < 2) throw HintError.tooFewStreams(Name, text(hinted), streams.map(_.name))
      Marking.conjuncts(block) { conjunct =>
        if (conjunct.references.forall(a => named.exists(_.plan.outputSet.contains(a))))
          MJoinHint.mark(conjunct, MJoinHint(hinted.inputs))
      }
    }

  private def find(name: String, inputs: Seq[Input]): Input = {
    def streams = inputs.filter(_.plan.isStreaming).map(_.name)
    inputs.find(_.answersTo(name)) match {
      case None                           => throw HintError.unknownInput(Name, name, streams)
      case Some(i) if !i.plan.isStreaming => throw HintError.staticInput(Name, name, streams)
      case Some(i)                        => i
    }
  }

  private def text(hinted: HintedJoins): String = s"$Name(${hinted.inputs.mkString(", ")})"

  private case class Input(name: String, plan: LogicalPlan) {
    def answersTo(asked: String): Boolean =
      name.equalsIgnoreCase(asked) || name.toLowerCase.endsWith("." + asked.toLowerCase)
  }

  /** The inputs of the joins at the top of a block. One without an alias has no name to be found by. */
  private def inputsOf(block: LogicalPlan): Seq[Input] = block match {
    case join: Join           => inputsOf(join.left) ++ inputsOf(join.right)
    case alias: SubqueryAlias =>
      Seq(Input((alias.identifier.qualifier :+ alias.identifier.name).mkString("."), alias))
    case unary: UnaryNode if joinsBelow(unary) => inputsOf(unary.child)
    case other                                 => Seq(Input("(no alias)", other))
  }

  private def joinsBelow(plan: LogicalPlan): Boolean = plan match {
    case _: SubqueryAlias                                                                        => false
    case _: Join                                                                                 => true
    case unary @ (_: Project | _: Filter | _: HintedJoins | _: UnresolvedHint | _: ResolvedHint) =>
      unary.children.exists(joinsBelow)
    case _ => false
  }
}
