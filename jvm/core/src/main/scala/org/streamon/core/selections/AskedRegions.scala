package org.streamon.core.selections

/** Where rules hold by what they ask of one attribute. Immutable.
  *
  * @param selections
  *   by rule, for those that ask it
  * @param number
  *   of a value, where values are whole numbers, in their order
  */
final class AskedRegions[T: Ordering](selections: Map[Int, Selection[T]], number: Option[T => Long] = None) {
  val constants: Constants[T] = Constants.of(selections.values, number)

  private[selections] val ranges: Map[Int, Ranges] = {
    // Equal selections are of the same regions.
    val each = selections.values.toSet.map((s: Selection[T]) => s -> constants.ranges(s)).toMap
    selections.transform((_, selection) => each(selection))
  }

  /** The rules. */
  def rules: Iterable[Int] = selections.keys

  def size: Int = selections.size
}
