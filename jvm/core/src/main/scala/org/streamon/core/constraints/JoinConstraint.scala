package org.streamon.core.constraints

/** What is declared of the streams of a join. Inputs and dimensions by number. */
sealed trait JoinConstraint {

  /** In which the inputs are joined. */
  def dimension: Int

  /** As EXPLAIN shows it.
    *
    * @param key
    *   of an input in this dimension
    */
  def shown(key: Int => String): String
}

object JoinConstraint {

  /** An input has at most one row of each key. */
  final case class Unique(input: Int, dimension: Int) extends JoinConstraint {
    override def shown(key: Int => String): String = s"UNIQUE($input on ${key(input)})"
  }

  /** A k-constraint on the join of a parent with its child (thesis, Section 6.3.1).
    *
    * @param k
    *   in rows of a partition at the granularity of micro-batches, 0 or more
    */
  final case class Adheres(kind: ConstraintKind, dimension: Int, parent: Int, child: Int, k: Long)
      extends JoinConstraint {
    override def shown(key: Int => String): String =
      s"${kind.name}($k) $parent -> $child on ${key(child)}"
  }
}
