package org.streamon.spark.hints

import org.streamon.core.constraints.ConstraintKind
import org.streamon.spark.logical.DeclaredConstraint

/** A hint that declares a constraint, its parameters read.
  *
  * @param names
  *   of the inputs that it is about, each with those of its columns that it names
  * @param declared
  *   what it says, by the columns' own names and a number of its own
  */
private[hints] final case class ParsedConstraint(
    names: Seq[(String, Seq[String])],
    declared: (Seq[String], Long) => DeclaredConstraint
)

private[hints] object ParsedConstraint {

  /** Or what is wrong with it. */
  def apply(hint: ConstraintHint): Either[String, ParsedConstraint] =
    if (hint.name == ConstraintHint.Unique) unique(hint) else adheres(hint)

  private def unique(hint: ConstraintHint): Either[String, ParsedConstraint] = hint.parameters match {
    case Seq(input, columns @ _*) if columns.nonEmpty =>
      def declared(named: Seq[String], id: Long) = DeclaredConstraint.Unique(hint.text, id, input, named)
      Right(ParsedConstraint(Seq(input -> columns), declared))
    case _ => Left("it takes the name of an input and those of its columns, one or more")
  }

  private def adheres(hint: ConstraintHint): Either[String, ParsedConstraint] = hint.parameters match {
    case Seq(kind, parent, child, k) =>
      for {
        known <- ConstraintKind(kind).toRight(s"there is no kind '$kind'")
        distance <- k.trim.toLongOption
          .filter(_ >= 0)
          .toRight(s"its k is '$k', and no whole number from 0 to ${Long.MaxValue}")
      } yield ParsedConstraint(
        Seq(parent -> Nil, child -> Nil),
        (_, id) => DeclaredConstraint.Adheres(hint.text, id, known, parent, child, distance)
      )
    case _ => Left("it takes a kind, the names of a parent and of a child, and k")
  }
}
