package org.streamon.spark.execution.joins

import org.streamon.spark.execution.state.Mirror

/** The dimensions of each input, sorted by the number of keys in descending order. A probe uses the first
  * dimension that it has, and so finds the fewest rows. For an input that is read from the state store, the
  * keys of the other inputs are counted. If no keys are known, the dimension with the fewest inputs comes
  * first. Dimensions with a constant key come last.
  *
  * @param isConstant
  *   whether all rows have the same key in a dimension
  */
final class ProbeDimensions(mirror: Mirror, isConstant: Int => Boolean) {
  private val several = mirror.dimensions.indices.filter(mirror.dimensions(_).length > 1).toArray
  private val orders = mirror.dimensions.indices.map(order).toArray

  /** Rows of an input when its order was found. */
  private val rows = Array.tabulate(orders.length)(counted)

  /** Another one when some order is another. */
  var version: Int = 0

  def apply(input: Int): Array[Int] = orders(input)

  /** To be called between two rows that arrive: looks again at inputs that have twice the rows. */
  def review(): Unit = {
    var k = 0
    while (k < several.length) {
      val input = several(k)
      val size = counted(input)
      if (size > 2 * rows(input)) {
        rows(input) = size
        val now = order(input)
        if (!now.sameElements(orders(input))) {
          orders(input) = now
          version += 1
        }
      }
      k += 1
    }
  }

  private def order(input: Int): Array[Int] = mirror
    .dimensions(input)
    .sortBy(d => (isConstant(d), -keys(input, d), mirror.dimensions.count(_.contains(d))))

  private def keys(input: Int, dimension: Int): Int =
    if (mirror.spilled(input)) mirror.keys(dimension) else mirror.synopsis(input).keys(dimension)

  /** What grows as rows come by which the order is found. */
  private def counted(input: Int): Long =
    if (!mirror.spilled(input)) mirror.synopsis(input).size
    else {
      val own = mirror.dimensions(input)
      var most = 0L
      var k = 0
      while (k < own.length) {
        most = math.max(most, mirror.keys(own(k)).toLong)
        k += 1
      }
      most
    }
}
