package org.streamon.spark.execution.python

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, BasePredicate, Expression, Predicate}
import org.streamon.core.filters.FilterSet
import org.streamon.spark.execution.RowErrors

/** The conjuncts without functions that go with a filter of Python predicates, in one task. By written
  * position. For one thread.
  */
private[python] final class TaskConjuncts(conjuncts: Seq[Expression], input: Seq[Attribute], partition: Int) {
  private val predicates: Array[BasePredicate] = conjuncts.map(Predicate.create(_, input)).toArray
  predicates.foreach(_.initialize(partition))

  /** Whether a row passes some of them, in this order. Where one raises, it is as Spark evaluates them. */
  def pass(row: InternalRow, order: Array[Int], counts: ConjunctCounts): Boolean = {
    var passes = true
    var k = 0
    try
      while (passes && k < order.length) {
        passes = evaluate(order(k), row, counts)
        if (!passes) counts.drops(order(k)) += 1
        k += 1
      }
    catch {
      case error: Throwable if !RowErrors.isFatal(error) => passes = passAsWritten(row, order(k), counts)
    }
    passes
  }

  /** What this raises, stands. */
  private def passAsWritten(row: InternalRow, raised: Int, counts: ConjunctCounts): Boolean = {
    counts.reevaluated += 1
    val guard = predicates.indices.find(!evaluate(_, row, counts))
    guard.foreach { q =>
      counts.drops(q) += 1
      counts.guards += q -> raised
    }
    guard.isEmpty
  }

  /** Evaluates all for a row that a trip may take; none where one raises. */
  def profile(row: InternalRow, trip: Trip): Option[ConjunctSample] = try {
    val nanos = new Array[Long](predicates.length)
    val dropped = new FilterSet(predicates.length)
    for (q <- predicates.indices) {
      val started = System.nanoTime
      if (!evaluate(q, row, trip.counts)) dropped.add(q)
      nanos(q) = System.nanoTime - started
    }
    trip.ahead.find(dropped.contains).foreach(trip.counts.drops(_) += 1)
    Some(new ConjunctSample(dropped, nanos))
  } catch { case error: Throwable if !RowErrors.isFatal(error) => None }

  private def evaluate(q: Int, row: InternalRow, counts: ConjunctCounts): Boolean = {
    counts.evaluations(q) += 1
    predicates(q).eval(row)
  }
}
