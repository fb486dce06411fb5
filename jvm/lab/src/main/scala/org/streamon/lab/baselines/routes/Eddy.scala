package org.streamon.lab.baselines.routes

import java.util.random.RandomGenerator

import org.streamon.core.routes.{Attribute, AttributeValues}

/** An Eddy: there is no plan, and a router decides the next operator of each row, or of each batch, after
  * every operator. Rows come back to it in between.
  *
  * @param batch
  *   rows that arrive together and are routed together; 1 for none
  * @param explores
  *   the share of decisions that take any operator, so that all are profiled
  */
final class Eddy[T <: AttributeValues](
    attributes: IndexedSeq[Attribute],
    n: Int,
    batch: Int,
    explores: Double,
    random: RandomGenerator
) {
  private val routing = new ContentBasedRouting(attributes, n)

  /** Operators evaluated. */
  var evaluations: Long = 0L

  /** Decisions of the router. */
  var decisions: Long = 0L

  /** Operators that these decisions have compared. */
  var compared: Long = 0L

  /** Rows that pass all operators.
    *
    * @param passes
    *   whether an operator passes a row
    */
  def process(rows: Seq[T])(passes: (Int, T) => Boolean): Int = rows.grouped(batch).map(route(_)(passes)).sum

  private def route(rows: Seq[T])(passes: (Int, T) => Boolean): Int = {
    var left = (0 until n).toVector
    var alive = rows
    while (left.nonEmpty && alive.nonEmpty) {
      val q = next(left, alive)
      left = left.filterNot(_ == q)
      evaluations += alive.size
      alive = alive.filter { row =>
        val kept = passes(q, row)
        routing.observe(q, row, kept)
        kept
      }
    }
    alive.size
  }

  /** The operator that is expected to pass the fewest of the rows. */
  private def next(left: Vector[Int], rows: Seq[T]): Int = {
    decisions += 1
    compared += left.size
    if (random.nextDouble() < explores) left(random.nextInt(left.size))
    else left.minBy(q => rows.map(routing.selectivity(q, _)).sum)
  }
}
