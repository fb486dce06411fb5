package org.streamon.spark.logical

import org.apache.spark.sql.catalyst.expressions.Expression
import org.streamon.core.constraints.ConstraintKind

/** What a hint declares of the streams of an MJoin. Inputs and dimensions by number.
  *
  * @param dimension
  *   in which the inputs are joined
  */
sealed trait JoinConstraint {
  def dimension: Int

  /** As EXPLAIN shows it.
    *
    * @param keys
    *   of the MJoin, by dimension, by input, part by part
    */
  def shown(keys: Seq[Seq[Seq[Expression]]]): String
}

object JoinConstraint {

  /** An input has at most one row of each key. */
  final case class Unique(input: Int, dimension: Int) extends JoinConstraint {
    override def shown(keys: Seq[Seq[Seq[Expression]]]): String =
      s"UNIQUE($input on ${key(keys(dimension)(input))})"
  }

  /** A k-constraint on the join of a parent with its child (thesis, Section 6.3.1).
    *
    * @param k
    *   in rows of a partition at the granularity of micro-batches, 0 or more
    */
  final case class Adheres(kind: ConstraintKind, dimension: Int, parent: Int, child: Int, k: Long)
      extends JoinConstraint {
    override def shown(keys: Seq[Seq[Seq[Expression]]]): String =
      s"${kind.name}($k) $parent -> $child on ${key(keys(dimension)(child))}"
  }

  private def key(parts: Seq[Expression]) = parts.mkString("[", ", ", "]")
}
