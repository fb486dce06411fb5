package org.streamon.core.constraints

/** What happens to rows that, by the constraints, are in no future result.
  *
  * @param evicts
  *   whether memory lets go of them
  */
sealed abstract class ConstraintMode(val name: String, val evicts: Boolean)

object ConstraintMode {

  /** Nothing is measured. */
  case object Off extends ConstraintMode("off", evicts = false)

  /** They are counted, on a sample, and stay. */
  case object Observe extends ConstraintMode("observe", evicts = false)

  /** They leave memory for the state store, and are found there. */
  case object Exact extends ConstraintMode("exact", evicts = true)

  /** They go (thesis, Chapter 6). */
  case object Approximate extends ConstraintMode("approximate", evicts = true)

  /** As in exact, by declared constraints only, and a row that breaks one stops the query. */
  case object Strict extends ConstraintMode("strict", evicts = true)

  val all: Seq[ConstraintMode] = Seq(Off, Observe, Exact, Approximate, Strict)

  /** @param name
    *   one of `all`
    */
  def apply(name: String): ConstraintMode = all.find(_.name == name).get
}
