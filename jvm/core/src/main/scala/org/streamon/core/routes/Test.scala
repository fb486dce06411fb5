package org.streamon.core.routes

/** A question to one attribute of a row. What becomes of nulls stands beside it in the [[Branch]]. */
sealed abstract class Test extends Serializable {

  /** Index of the attribute. */
  def attribute: Int

  /** Only of a row where the attribute is not null. */
  def matches(values: AttributeValues): Boolean

  /** In words, for rows that match. */
  def words(of: Attribute): String
}

/** Whether a number is above a threshold. NaN is above each. */
final case class Above(attribute: Int, threshold: Double) extends Test {
  require(!threshold.isNaN, "threshold NaN: allowed is a number")

  def matches(values: AttributeValues): Boolean = !(values.number(attribute) <= threshold)

  def words(of: Attribute): String = s"${of.name} > ${of.literal(threshold)}"
}

/** Whether a category has one of some values. */
final case class OneOf(attribute: Int, values: Set[String]) extends Test {
  def matches(row: AttributeValues): Boolean = {
    val category = row.category(attribute)
    category != null && values.contains(category)
  }

  def words(of: Attribute): String = s"${of.name} IN ${OneOf.list(values)}"
}

object OneOf {

  /** Written as Spark reads texts. */
  private[routes] def list(values: Set[String]): String =
    values.toSeq.sorted
      .map(v => s"'${v.replace("\\", "\\\\").replace("'", "\\'")}'")
      .mkString("(", ", ", ")")
}
