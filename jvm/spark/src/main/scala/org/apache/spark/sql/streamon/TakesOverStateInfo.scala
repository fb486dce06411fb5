package org.apache.spark.sql.streamon

import org.apache.spark.sql.catalyst.rules.{RuleId, UnknownRuleId}
import org.apache.spark.sql.catalyst.trees.TreePatternBits
import org.apache.spark.sql.execution.{LocalTableScanExec, SparkPlan}
import org.apache.spark.sql.execution.streaming.operators.stateful._

/** Gives a stateful operator of StreaMon its state info (`StateOpIdRule`) and its two watermarks
  * (`WatermarkPropagationRule`). Spark's `IncrementalExecution` sets them only for the classes of its own
  * operators. So each rule is shown an operator that it knows in the place of this one, and its result is
  * copied. Operator ids, versions and checkpoint ids are therefore Spark's own. `StateInfoSuite` fails if a
  * later Spark does this in another way.
  */
trait TakesOverStateInfo extends StateStoreWriter { self: SparkPlan =>

  def withStateInfo(info: StatefulOperatorStateInfo): SparkPlan

  /** Milliseconds: rows up to `late` come too late, and what only meets rows up to `eviction` can go. */
  def withWatermarks(late: Option[Long], eviction: Option[Long]): SparkPlan

  override def transformDownWithPruning(
      condition: TreePatternBits => Boolean,
      ruleId: RuleId = UnknownRuleId
  )(rule: PartialFunction[SparkPlan, SparkPlan]): SparkPlan = {
    val itself = informed(rule) match {
      case changed: TakesOverStateInfo =>
        changed.copyTagsFrom(this)
        changed
      case _ => this
    }
    itself.transformChildren(condition, ruleId)(rule)
  }

  private def transformChildren(condition: TreePatternBits => Boolean, ruleId: RuleId)(
      rule: PartialFunction[SparkPlan, SparkPlan]
  ): SparkPlan = super.transformDownWithPruning(condition, ruleId)(rule)

  private def informed(rule: PartialFunction[SparkPlan, SparkPlan]): SparkPlan = {
    def leaf = LocalTableScanExec(Nil, Nil, None)
    lazy val limit = StreamingGlobalLimitExec(0L, leaf, stateInfo, None)
    lazy val deduplicate = StreamingDeduplicateExec(Nil, leaf, stateInfo, None, None)
    if (stateInfo.isEmpty && rule.isDefinedAt(limit)) rule(limit) match {
      case known: StreamingGlobalLimitExec if known.stateInfo.isDefined => withStateInfo(known.stateInfo.get)
      case _                                                            => this
    }
    else if (stateInfo.isDefined && rule.isDefinedAt(deduplicate) && !rule.isDefinedAt(limit))
      rule(deduplicate) match {
        case known: StreamingDeduplicateExec =>
          withWatermarks(known.eventTimeWatermarkForLateEvents, known.eventTimeWatermarkForEviction)
        case _ => this
      }
    else this
  }
}
