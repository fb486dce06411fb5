package org.streamon.spark.hints

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.streamon.spark.errors.HintError
import org.streamon.spark.logical.MJoinHint
import org.streamon.spark.settings.HintOptions

/** Replaces `MJOIN(a, b, c)`, with or without options such as `'caching=off'`, by a [[HintedJoins]] above the
  * joins of the block. Names are looked up later, by [[ApplyMJoinHint]], when the plan is resolved.
  */
object ResolveMJoinHint extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
    case UnresolvedHint(name, parameters, block) if name.equalsIgnoreCase(ApplyMJoinHint.Name) =>
      BadHint.ignoredWhenOff(block) {
        val (settings, inputs) = parameters.map(JoinInputs.asText).partition(_.contains('='))
        val options = HintOptions.ofJoins
          .parse(settings)
          .fold(problem => throw HintError.badOption(ApplyMJoinHint.Name, problem), identity)
        JoinInputs
          .above(block, intoSubqueries = true)(HintedJoins(inputs, options, _))
          .getOrElse(HintedJoins(inputs, options, block))
      }
  }
}

/** Keeps the hint above its joins until they are resolved. */
case class HintedJoins(inputs: Seq[String], options: Map[String, String], child: LogicalPlan)
    extends UnaryNode {
  override def output: Seq[Attribute] = child.output
  override protected def withNewChildInternal(newChild: LogicalPlan): HintedJoins = copy(child = newChild)
}

/** Checks the names in `MJOIN` and marks the conditions between the named inputs.
  *
  * @throws HintError
  *   when a name is not an input or not a stream, when an input is named twice, or when there are fewer than
  *   two streams to join
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

  private def resolved(hinted: HintedJoins, block: LogicalPlan): LogicalPlan =
    BadHint.ignoredWhenOff(block)(marked(hinted, block))

  private def marked(hinted: HintedJoins, block: LogicalPlan): LogicalPlan = {
    val result = conjunctsMarked(hinted, block)
    result.foreach {
      case join: Join => MJoinHint.mark(join)
      case _          => ()
    }
    result
  }

  private def conjunctsMarked(hinted: HintedJoins, block: LogicalPlan): LogicalPlan =
    if (!hinted.isStreaming) Marking.conjuncts(block)(MJoinHint.mark(_, hint(hinted)))
    else {
      val inputs = JoinInputs.of(hinted.child)
      val named = if (hinted.inputs.isEmpty) inputs else once(hinted, hinted.inputs.map(find(_, inputs)))
      val streams = named.filter(_.plan.isStreaming)
      if (streams.size < 2) throw HintError.tooFewStreams(Name, text(hinted), streams.flatMap(_.name))
      val ofInputs = JoinInputs.inTermsOfInputs(block)
      def nameOf(operand: Expression) = named.find(_.has(ofInputs(operand))).flatMap(_.name)
      Marking.conjuncts(block, below = inputs.map(_.plan)) { conjunct =>
        if (conjunct.references.forall(a => named.exists(_.plan.outputSet.contains(a)))) {
          MJoinHint.mark(conjunct, hint(hinted))
          MJoinHint.name(conjunct, conjunct.children.map(nameOf))
        }
      }
    }

  private def once(hinted: HintedJoins, named: Seq[JoinInput]): Seq[JoinInput] = {
    for ((name, i) <- hinted.inputs.zipWithIndex if named.take(i).exists(_.plan eq named(i).plan))
      throw HintError.inputTwice(text(hinted), name)
    named
  }

  private def hint(hinted: HintedJoins) = MJoinHint(hinted.inputs, hinted.options)

  private def find(name: String, inputs: Seq[JoinInput]): JoinInput = {
    val streams = inputs.filter(_.plan.isStreaming)
    val found = JoinInputs.named(name, inputs, Name, allowed = streams)
    if (!found.plan.isStreaming) throw HintError.staticInput(Name, name, streams.flatMap(_.name))
    found
  }

  private def text(hinted: HintedJoins): String = s"$Name(${hinted.inputs.mkString(", ")})"
}
