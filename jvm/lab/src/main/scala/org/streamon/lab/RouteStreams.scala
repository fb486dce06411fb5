package org.streamon.lab

import java.util.SplittableRandom

import org.streamon.core.routes.{Attribute, AttributeValues}

/** A row that arrives at a ten-way join.
  *
  * @param part
  *   which part of its stream it is of
  * @param drops
  *   the other streams, as bits, that have no row to join with it
  */
private[lab] final class ArrivingRow(val part: Int, category: String, numbers: Array[Double], val drops: Long)
    extends AttributeValues {
  def isNull(attribute: Int): Boolean = false
  def number(attribute: Int): Double = numbers(attribute)
  def category(attribute: Int): String = category
}

/** One stream of the synthetic ten-way equi-join of Query Mesh: nine operators, each a look-up in the window
  * of another stream. Rows are of `parts` parts. In skewed streams each part has its own selectivities, which
  * call for another order than those of the whole stream do; in uniform ones all parts have the same.
  *
  * @param selectivity
  *   by part and operator, the share of the rows that find a row to join with
  */
private[lab] final class RouteStreams(val selectivity: IndexedSeq[IndexedSeq[Double]]) {
  val operators: Int = selectivity.head.size
  val parts: Int = selectivity.size

  def row(random: SplittableRandom): ArrivingRow = {
    val part = random.nextInt(parts)
    var drops = 0L
    for (q <- 0 until operators) if (random.nextDouble() >= selectivity(part)(q)) drops |= 1L << q
    val numbers = Array.fill(RouteStreams.attributes.size)(random.nextDouble())
    // A second column that tells the parts apart, but for rows at their borders.
    numbers(1) = (part + 1.1 * random.nextDouble()) / (parts + 0.1)
    new ArrivingRow(part, s"p$part-${random.nextInt(4)}", numbers, drops)
  }

  def rows(count: Int, random: SplittableRandom): Array[ArrivingRow] = Array.fill(count)(row(random))
}

private[lab] object RouteStreams {
  val Operators = 9
  val Parts = 3

  /** Six, as in Table 1: two that tell the parts apart, and four that tell nothing. */
  val attributes: IndexedSeq[Attribute] =
    Attribute.category("kind") +: (1 to 5).map(a => Attribute.number(s"x$a"))

  /** Each part has the selectivities 0.1 to 0.9, dealt out so that each operator is among the three best of
    * one part, among the three worst of another, and between in the third.
    */
  def skewed(random: SplittableRandom): RouteStreams = dealt(random, shift = Operators / Parts)

  /** All parts have the selectivities of 0.1 to 0.9, dealt out alike. */
  def uniform(random: SplittableRandom): RouteStreams = dealt(random, shift = 0)

  private def dealt(random: SplittableRandom, shift: Int): RouteStreams = {
    val rank = Shuffle(Array.range(0, Operators), random)
    new RouteStreams(
      Vector.tabulate(Parts, Operators)((p, q) => 0.1 + 0.1 * ((rank(q) + p * shift) % Operators))
    )
  }
}
