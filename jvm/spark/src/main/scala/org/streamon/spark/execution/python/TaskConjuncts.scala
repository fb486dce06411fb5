package org.streamon.spark.execution.python

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, BasePredicate, Expression, Predicate}
import org.streamon.spark.expressions.MayRaise

/** The conjuncts without functions that go with a filter of Python predicates, in one task. By written
  * position. For one thread.
  */
private[python] final class TaskConjuncts(conjuncts: Seq[Expression], input: Seq[Attribute], partition: Int) {
  private val predicates: Array[BasePredicate] = conjuncts.map(Predicate.create(_, input)).toArray
  predicates.foreach(_.initialize(partition))
  private val mayRaise = conjuncts.map(MayRaise(_)).toArray

  /** Whether a row passes some of them, in this order. */
  def pass(row: InternalRow, order: Array[Int], counts: ConjunctCounts): Boolean = {
    var passes = true
    var k = 0
    while (passes && k < order.length) {
      val q = order(k)
      passes = predicates(q).eval(row)
      counts.evaluations(q) += 1
      if (!passes) counts.drops(q) += 1
      k += 1
    }
    passes
  }

  /** Evaluates all for a row that a trip may take. One that may raise is left out where one that is written
    * before it drops the row: Spark does not evaluate it then.
    */
  def profile(row: InternalRow, trip: Trip): ConjunctSample = {
    val nanos = new Array[Long](predicates.length)
    var evaluated, dropped = 0L
    for (q <- predicates.indices if !mayRaise(q) || dropped == 0L) {
      val started = System.nanoTime
      val passes = predicates(q).eval(row)
      nanos(q) = System.nanoTime - started
      evaluated |= 1L << q
      if (!passes) dropped |= 1L << q
      trip.counts.evaluations(q) += 1
    }
    trip.ahead.find(q => (dropped >>> q & 1L) != 0L).foreach(trip.counts.drops(_) += 1)
    new ConjunctSample(evaluated, dropped, nanos)
  }
}
