package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.streamon.core.joins.{Equality, JoinGraph}

/** What an MJoin joins and how: made on the driver, the same for all tasks.
  *
  * @param inputs
  *   the columns of each
  * @param keys
  *   of each input, part by part
  * @param nullSafe
  *   by part of the key, whether null equals null
  */
final case class JoinShape(
    inputs: IndexedSeq[Seq[Attribute]],
    keys: IndexedSeq[Seq[Expression]],
    nullSafe: IndexedSeq[Boolean],
    conditions: Seq[Expression],
    bounds: StateBounds
) {
  def size: Int = inputs.size

  @transient lazy val residuals: Residuals = new Residuals(conditions, inputs)

  /** Each part of the key is a class with a column in every input. */
  @transient lazy val graph: JoinGraph = new JoinGraph(
    size,
    for {
      part <- nullSafe.indices
      i <- 1 until size
    } yield Equality(0, part, i, part, nullSafe(part)),
    residuals.needs
  )
}
