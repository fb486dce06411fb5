package org.streamon.lab

import java.util.SplittableRandom
import org.streamon.core.constraints.ConstraintKind
import org.streamon.lab.baselines.constraints.DirectedJoinGraph
import ConstraintStreams._

/** A kind of constraint, a join graph of Figure 6.9, and streams that keep the constraint by so much.
  *
  * @param streams
  *   so many tuples, with a k at each share of the run
  */
private[lab] final case class ConstraintWorkload(
    kind: ConstraintKind,
    graph: DirectedJoinGraph,
    streams: (Int, Course, SplittableRandom) => Array[Arriving]
)

private[lab] object ConstraintWorkload {
  val rids: ConstraintWorkload = ConstraintWorkload(ConstraintKind.RIDS, graphA, ConstraintStreams.rids)
  val ca: ConstraintWorkload = ConstraintWorkload(ConstraintKind.CA, graphB, drifting)

  /** On the same data. */
  val oap: ConstraintWorkload = ca.copy(kind = ConstraintKind.OAP)

  /** Its k is one for the whole run. */
  val oac: ConstraintWorkload =
    ConstraintWorkload(ConstraintKind.OAC, graphC, (n, k, random) => scrambledChildren(n, k(0.0), random))
}
