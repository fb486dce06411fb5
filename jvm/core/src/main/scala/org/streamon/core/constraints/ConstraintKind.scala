package org.streamon.core.constraints

/** The kinds of k-constraint on a many-one join of a parent S1 with its child S2 (thesis, Section 6.3.1).
  * Each bounds a distance, counted in tuples.
  *
  * @param name
  *   as hints and reports write it
  */
sealed abstract class ConstraintKind(val name: String)

object ConstraintKind {

  /** Referential integrity over streams: a child that exists comes at most k arrivals of its stream after any
    * of its parents.
    */
  case object RIDS extends ConstraintKind("RIDS")

  /** Clustered arrival of the parent's join attribute: between any two equal values, so from the first to the
    * last, come at most k others.
    */
  case object CA extends ConstraintKind("CA")

  /** Ordered arrival of the parent's join attribute: a value comes at most k arrivals after a greater one. */
  case object OAP extends ConstraintKind("OAP")

  /** Ordered arrival of the child's join attribute. */
  case object OAC extends ConstraintKind("OAC")

  val all: Seq[ConstraintKind] = Seq(RIDS, CA, OAP, OAC)

  /** By name, in any case. */
  def apply(name: String): Option[ConstraintKind] = all.find(_.name.equalsIgnoreCase(name))
}
