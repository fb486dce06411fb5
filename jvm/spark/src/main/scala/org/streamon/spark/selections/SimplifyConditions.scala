package org.streamon.spark.selections

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.optimizer._
import org.apache.spark.sql.catalyst.plans.logical.{LocalRelation, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.rules.RuleExecutor
import org.apache.spark.sql.types.BooleanType
import org.streamon.spark.expressions.ReadsClock

/** Brings resolved conditions into the form in which Spark evaluates them, by Spark's own rules: constants
  * are folded, casts of columns are moved to the constants, `LIKE 'a%'` is a prefix.
  */
private[spark] object SimplifyConditions extends RuleExecutor[LogicalPlan] {

  /** @param conditions
    *   the same, simpler
    * @param clocks
    *   what they read from the clock, by the attribute that stands for it in them. Spark must replace these
    *   in each query, and each micro-batch, by one time
    */
  final case class Simplified(conditions: Seq[Expression], clocks: Seq[Alias])

  def apply(conditions: Seq[Expression]): Simplified = {
    val known = conditions.map(isSimple)
    val simplified = simplify(conditions.zip(known).collect { case (condition, false) => condition })
    val others = simplified.conditions.iterator
    simplified.copy(conditions = conditions.zip(known).map { case (c, isKnown) =>
      if (isKnown) c else others.next()
    })
  }

  /** A conjunction of comparisons of columns with constants, as most rules are, is simple enough. Thousands
    * of them would take seconds.
    */
  private def isSimple(condition: Expression): Boolean = condition match {
    case And(left, right)                                               => isSimple(left) && isSimple(right)
    case comparison @ BinaryComparison(a: Attribute, constant: Literal) =>
      isOrdering(comparison) && constant.value != null && a.dataType != BooleanType
    case _ => false
  }

  private def isOrdering(comparison: Expression) = comparison match {
    case _: LessThan | _: LessThanOrEqual | _: GreaterThan | _: GreaterThanOrEqual | _: EqualTo => true
    case _                                                                                      => false
  }

  private def simplify(conditions: Seq[Expression]): Simplified = {
    var clocks = Map.empty[Expression, Alias]
    val timeless = conditions.map(_.transform {
      case clock if ReadsClock(clock) =>
        if (!clocks.contains(clock.canonicalized)) clocks += clock.canonicalized -> Alias(clock, "clock")()
        clocks(clock.canonicalized).toAttribute
    })
    val references = AttributeSet(timeless.flatMap(_.references)).toSeq
    val list = timeless.map(inlined).map(Alias(_, "condition")())
    val simple = execute(Project(list, LocalRelation(references))).expressions.flatMap(_.children)
    Simplified(simple, clocks.values.toSeq)
  }

  /** Without expressions that compute a part once for several uses: they need an operator below. */
  private def inlined(e: Expression): Expression = e.transformUp {
    case replaced: RuntimeReplaceable => inlined(replaced.replacement)
    case With(child, definitions)     =>
      val by = definitions.map(d => d.id -> d.child).toMap
      child.transformUp { case ref: CommonExpressionRef if by.contains(ref.id) => by(ref.id) }
  }

  override protected def batches: Seq[Batch] = Seq(
    Batch("Finish", Once, ReplaceExpressions),
    Batch(
      "Simplify",
      FixedPoint(100),
      ConstantFolding,
      NullPropagation,
      OptimizeIn,
      LikeSimplification,
      BooleanSimplification,
      SimplifyBinaryComparison,
      SimplifyCasts,
      UnwrapCastInBinaryComparison
    )
  )
}
