package org.streamon.core.routes

import java.util.random.RandomGenerator

import org.streamon.core.filters.FilterSet

/** Takes a row through an imprecise route: the next of the alternatives is drawn by lottery, with weights of
  * 1 less the running selectivity (Query Mesh gives no rule for the weights). One for each route and task; to
  * draw allocates nothing. Not thread-safe.
  *
  * @param n
  *   number of filters
  */
final class RouteLottery(route: ImpreciseRoute, n: Int, random: RandomGenerator) {
  private val entries = route.entries.map(_.toArray).toArray
  private val rows = Array.fill(n)(2.0)
  private val passed = Array.fill(n)(1.0)
  private val done = new FilterSet(n)
  private var entry = 0

  /** A new row. */
  def begin(): Unit = {
    done.clear()
    entry = 0
  }

  /** The filter to evaluate next; -1 after the last one. */
  def next(): Int = {
    while (entry < entries.length && left(entries(entry)) == 0.0) entry += 1
    if (entry == entries.length) -1
    else {
      val q = draw(entries(entry))
      done.add(q)
      q
    }
  }

  /** What filter q has done with the row. */
  def record(q: Int, passes: Boolean): Unit = {
    rows(q) += 1.0
    if (passes) passed(q) += 1.0
    if (rows(q) > RouteLottery.Memory) {
      rows(q) /= 2
      passed(q) /= 2
    }
  }

  /** The share of the rows that filter q passes, the latest counting most; a half before the first. */
  def selectivity(q: Int): Double = passed(q) / rows(q)

  private def weight(q: Int): Double =
    if (done.contains(q)) 0.0 else math.max(1.0 - selectivity(q), RouteLottery.LeastWeight)

  private def left(alternatives: Array[Int]): Double = {
    var sum = 0.0
    var k = 0
    while (k < alternatives.length) {
      sum += weight(alternatives(k))
      k += 1
    }
    sum
  }

  private def draw(alternatives: Array[Int]): Int = {
    var ticket = random.nextDouble() * left(alternatives)
    var chosen = -1
    var k = 0
    while (k < alternatives.length && ticket >= 0.0) {
      if (!done.contains(alternatives(k))) {
        chosen = alternatives(k)
        ticket -= weight(chosen)
      }
      k += 1
    }
    chosen
  }
}

private object RouteLottery {

  /** Rows after which those so far lose half their weight. */
  val Memory = 1000.0

  /** A filter that passes all it sees is tried now and then. */
  val LeastWeight = 0.01
}
