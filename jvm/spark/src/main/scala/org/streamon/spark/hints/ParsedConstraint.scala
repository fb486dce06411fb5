package org.streamon.spark.hints

import org.streamon.core.constraints.ConstraintKind
import org.streamon.spark.logical.DeclaredConstraint

/** The parsed parameters of a hint that declares a constraint.
  *
  * @param names
  *   the names of inputs, each with the names of its columns
  * @param declared
  *   makes the constraint from the resolved names of the columns and a unique number
  */
private[hints] final case class ParsedConstraint(
    names: Seq[(String, Seq[String])],
    declared: (Seq[String], Long) => DeclaredConstraint
)

private[hints] object ParsedConstraint {

  /** Left: what is wrong with the parameters. */
  def apply(hint: ConstraintHint): Either[String, ParsedConstraint] =
    if (hint.name == ConstraintHint.Unique) unique(hint) else adheres(hint)

  private def unique(hint: ConstraintHint): Either[String, ParsedConstraint] = hint.parameters match {
    case Seq(input, columns @ _*) if columns.nonEmpty =>
      def declared(named: Seq[String], id: Long) = DeclaredConstraint.Unique(hint.text, id, input, named)
      Right(ParsedConstraint(Seq(input -> columns), declared))
    case _ => Left("it needs the name of an input and the names of one or more of its columns")
  }

  private def adheres(hint: ConstraintHint): Either[String, ParsedConstraint] = hint.parameters match {
    case Seq(kind, parent, child, k) =>
      for {
        known <- ConstraintKind(kind).toRight(s"'$kind' is not a kind of constraint")
        distance <- k.trim.toLongOption
          .filter(_ >= 0)
          .toRight(s"k is '$k', but must be a whole number from 0 to ${Long.MaxValue}")
      } yield ParsedConstraint(
        Seq(parent -> Nil, child -> Nil),
        (_, id) => DeclaredConstraint.Adheres(hint.text, id, known, parent, child, distance)
      )
    case _ => Left("it needs a kind, the name of a parent, the name of a child, and k")
  }
}
