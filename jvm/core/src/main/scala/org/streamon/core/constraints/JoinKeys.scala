package org.streamon.core.constraints

/** By which keys inputs are joined. A dimension is a class of keys that are equal in each result.
  *
  * @param dimensionsOf
  *   by input, the dimensions in which it has a key
  * @param ordered
  *   by dimension, whether the numbers of its keys are in the order of the keys
  * @param constant
  *   by dimension, whether all rows have the same key
  */
final class JoinKeys(
    val dimensionsOf: Array[Array[Int]],
    val ordered: Array[Boolean],
    val constant: Array[Boolean]
) {
  val size: Int = dimensionsOf.length
  val dimensions: Int = ordered.length

  /** By dimension, the inputs that have a key there. */
  val holders: Array[Array[Int]] =
    Array.tabulate(dimensions)(d => (0 until size).filter(dimensionsOf(_).contains(d)).toArray)

  /** Whether inputs and dimensions make a tree: then there is one way between any two rows. */
  val isTree: Boolean = dimensionsOf.map(_.length).sum == size + dimensions - 1

  /** By input, by another: the dimension of the first by which the way to the other leads. */
  lazy val ways: Array[Array[Int]] = {
    val ways = Array.fill(size, size)(-1)
    def spread(from: Int, by: Int, at: Int, via: Int): Unit =
      for (d <- dimensionsOf(at) if d != via; j <- holders(d) if j != at) {
        val first = if (by < 0) d else by
        ways(from)(j) = first
        spread(from, first, j, d)
      }
    (0 until size).foreach(i => spread(i, -1, i, -1))
    ways
  }
}
