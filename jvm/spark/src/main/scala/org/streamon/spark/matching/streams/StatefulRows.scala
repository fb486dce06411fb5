package org.streamon.spark.matching.streams

import org.apache.spark.sql.catalyst.plans.logical._
import org.streamon.spark.logical.{IdleSource, Pinned}

/** Rows of a stream that come out of a stateful operator, such as an aggregate. */
private[streams] object StatefulRows {

  /** The same rows. Where an operator has a state, the optimizer must not fit it to the rules of one
    * micro-batch: the columns in the state would change with the rules, and which rows it has.
    */
  def pinned(rows: LogicalPlan): LogicalPlan = if (rows.exists(mayHaveState)) Pinned(rows) else rows

  private def mayHaveState(node: LogicalPlan): Boolean = node.isStreaming && (node match {
    case _: LeafNode | _: Project | _: Filter | _: Generate | _: Union | _: SubqueryAlias | _: View |
        _: EventTimeWatermark | _: ResolvedHint | _: RepartitionOperation | _: IdleSource |
        _: MatchChangingRules =>
      false
    case _: SerializeFromObject | _: DeserializeToObject | _: MapElements | _: MapPartitions |
        _: TypedFilter =>
      false
    case join: Join => join.left.isStreaming && join.right.isStreaming
    case _          => true
  })
}
