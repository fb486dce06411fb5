package org.streamon.core.routes

/** A column of the input that a classifier may look at.
  *
  * @param isNumber
  *   true for a column that is compared with a threshold, false for one whose values are categories
  * @param isNullable
  *   whether rows may have no value; false saves words only
  * @param literal
  *   how people read a threshold, such as a date
  */
final case class Attribute(
    name: String,
    isNumber: Boolean,
    isNullable: Boolean = true,
    literal: Double => String = Attribute.plain
)

object Attribute {
  private val plain: Double => String = _.toString

  def number(name: String): Attribute = Attribute(name, isNumber = true)
  def category(name: String): Attribute = Attribute(name, isNumber = false)
}
