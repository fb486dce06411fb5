package org.streamon.core.routes

import org.streamon.core.filters.FilterSet

/** Sampled rows that have equal attributes and that the same filters drop (Query Mesh).
  *
  * @param numbers
  *   by attribute; only where it is a number and not null
  * @param categories
  *   by attribute; only where it is a category and not null
  * @param nulls
  *   by attribute
  * @param dropped
  *   the filters that drop the rows. A filter that was not evaluated, since one that guards it drops the row,
  *   is not among them.
  * @param density
  *   how many rows they are
  * @param nanos
  *   by filter, nanoseconds of all evaluations
  * @param evaluated
  *   by filter, the number of these evaluations
  */
private[routes] final class TrainingTuple(
    numbers: Array[Double],
    categories: Array[String],
    nulls: Array[Boolean],
    val dropped: FilterSet,
    val density: Double,
    val nanos: Array[Double],
    val evaluated: Array[Double]
) extends AttributeValues {
  def isNull(attribute: Int): Boolean = nulls(attribute)
  def number(attribute: Int): Double = numbers(attribute)
  def category(attribute: Int): String = categories(attribute)

  /** Equal for tuples whose rows can be counted together. Zeros of both signs are one number. */
  def key: Seq[Any] = {
    val values = nulls.indices.map(a =>
      if (nulls(a)) None
      else if (categories(a) != null) categories(a)
      else java.lang.Double.doubleToLongBits(numbers(a) + 0.0)
    )
    values ++ dropped.members
  }

  /** All rows of both. */
  def and(other: TrainingTuple): TrainingTuple = new TrainingTuple(
    numbers,
    categories,
    nulls,
    dropped,
    density + other.density,
    Array.tabulate(nanos.length)(q => nanos(q) + other.nanos(q)),
    Array.tabulate(nanos.length)(q => evaluated(q) + other.evaluated(q))
  )
}
