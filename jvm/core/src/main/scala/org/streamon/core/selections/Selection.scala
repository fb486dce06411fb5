package org.streamon.core.selections

/** What a rule asks of one attribute. A null is selected by [[Selection.IsNull]] alone.
  *
  * @tparam T
  *   of the attribute's values
  */
sealed abstract class Selection[+T] {

  /** The constants that it compares with. */
  def constants: Seq[T]

  /** Whether it is the same for all values that are none of its constants. */
  def isPointwise: Boolean
}

object Selection {
  final case class Compare[+T](comparison: Comparison, constant: T) extends Selection[T] {
    def constants: Seq[T] = Seq(constant)
    def isPointwise: Boolean = comparison == Comparison.Equal || comparison == Comparison.NotEqual
  }

  final case class OneOf[+T](constants: Seq[T]) extends Selection[T] {
    def isPointwise: Boolean = true
  }

  case object IsNull extends Selection[Nothing] {
    def constants: Seq[Nothing] = Nil
    def isPointwise: Boolean = true
  }

  case object IsNotNull extends Selection[Nothing] {
    def constants: Seq[Nothing] = Nil
    def isPointwise: Boolean = true
  }

  final case class AllOf[+T](parts: Seq[Selection[T]]) extends Selection[T] {
    def constants: Seq[T] = parts.flatMap(_.constants)
    def isPointwise: Boolean = parts.forall(_.isPointwise)
  }

  final case class AnyOf[+T](parts: Seq[Selection[T]]) extends Selection[T] {
    def constants: Seq[T] = parts.flatMap(_.constants)
    def isPointwise: Boolean = parts.forall(_.isPointwise)
  }
}

/** How a value is compared with a constant. */
sealed abstract class Comparison

object Comparison {
  case object Equal extends Comparison
  case object NotEqual extends Comparison
  case object Less extends Comparison
  case object AtMost extends Comparison
  case object Greater extends Comparison
  case object AtLeast extends Comparison
}
