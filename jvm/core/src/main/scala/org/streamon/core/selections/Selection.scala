package org.streamon.core.selections

/** What a rule asks of one attribute. A null is selected by [[Selection.IsNull]] alone.
  *
  * @tparam T
  *   of the attribute's values
  */
sealed abstract class Selection[+T] {

  /** The constants that it compares with. */
  def constants: Seq[T]
}

object Selection {
  final case class Compare[+T](comparison: Comparison, constant: T) extends Selection[T] {
    def constants: Seq[T] = Seq(constant)
  }

  final case class OneOf[+T](constants: Seq[T]) extends Selection[T]

  case object IsNull extends Selection[Nothing] {
    def constants: Seq[Nothing] = Nil
  }

  case object IsNotNull extends Selection[Nothing] {
    def constants: Seq[Nothing] = Nil
  }

  final case class AllOf[+T](parts: Seq[Selection[T]]) extends Selection[T] {
    def constants: Seq[T] = parts.flatMap(_.constants)
  }

  final case class AnyOf[+T](parts: Seq[Selection[T]]) extends Selection[T] {
    def constants: Seq[T] = parts.flatMap(_.constants)
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
