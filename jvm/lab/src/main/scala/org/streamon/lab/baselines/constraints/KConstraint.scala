package org.streamon.lab.baselines.constraints

import org.streamon.core.constraints.ConstraintKind

/** A constraint on the join of a parent with its child, declared or to be detected.
  *
  * @param k
  *   how far its data may be from the constraint's ideal, in tuples, 0 or more; none where it is to be
  *   learned
  * @throws IllegalArgumentException
  *   when k is negative
  */
final case class KConstraint(kind: ConstraintKind, parent: Int, child: Int, k: Option[Long]) {
  require(k.forall(_ >= 0), s"$this: expected a k of 0 or more tuples")

  override def toString: String = s"${kind.name}(${k.fold("?")(_.toString)}) on $parent -> $child"
}

object KConstraint {

  implicit private[constraints] final class InGraph(constraint: KConstraint) {

    /** The edge that it is on.
      *
      * @throws IllegalArgumentException
      *   when there is none
      */
    def edgeIn(graph: DirectedJoinGraph): Int = {
      val edge =
        graph.edges.indexWhere(e => e.parent == constraint.parent && e.child == constraint.child)
      val joins = graph.edges.mkString(", ")
      require(edge >= 0, s"$constraint: no such many-one join; there are $joins")
      edge
    }
  }
}
