package org.streamon.core.routes

/** A column of the input that a classifier may look at.
  *
  * @param isNumber
  *   true for a column that is compared with a threshold, false for one whose values are categories
  */
final case class Attribute(name: String, isNumber: Boolean)

object Attribute {
  def number(name: String): Attribute = Attribute(name, isNumber = true)
  def category(name: String): Attribute = Attribute(name, isNumber = false)
}
