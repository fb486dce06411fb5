package org.streamon.core.routes

/** The values of a row's attributes, by the attribute's index. An Executor may use one object for all rows.
  */
trait AttributeValues {
  def isNull(attribute: Int): Boolean

  /** Only of a number that is not null. NaN counts as greater than every other number, as in Spark. */
  def number(attribute: Int): Double

  /** Only of a category that is not null. Null stands for a value that is in no set of values, such as a text
    * that is too long to be kept.
    */
  def category(attribute: Int): String
}
