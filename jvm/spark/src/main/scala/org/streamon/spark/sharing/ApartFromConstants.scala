package org.streamon.spark.sharing

import org.apache.spark.sql.catalyst.expressions.{Attribute, BinaryComparison, Expression, Literal}

/** Expressions that differ in constants alone: as a whole, or as what they compare with. */
private[sharing] object ApartFromConstants {

  /** Equal for such expressions. */
  def kind(e: Expression): Expression = replaced(e)(constant => Literal.create(null, constant.dataType))

  /** One expression in the place of several of one kind.
    *
    * @param number
    *   by which their constants are looked up
    */
  def merged(all: Seq[Expression], number: Attribute): Expression = {
    val constants = all.map(constantsOf).transpose.map(MatchedRows.constant(_, number)).iterator
    replaced(all.head)(_ => constants.next())
  }

  private def constantsOf(e: Expression): Seq[Literal] = e match {
    case constant: Literal => Seq(constant)
    case _ => e.collect { case c: BinaryComparison => c.children.collect { case l: Literal => l } }.flatten
  }

  /** With others in the place of constants, in the order of [[constantsOf]]. */
  private def replaced(e: Expression)(by: Literal => Expression): Expression = {
    def operand(e: Expression) = e match {
      case constant: Literal => by(constant)
      case other             => other
    }
    e match {
      case constant: Literal => by(constant)
      case _                 => e.transformDown { case c: BinaryComparison => c.mapChildren(operand) }
    }
  }
}
