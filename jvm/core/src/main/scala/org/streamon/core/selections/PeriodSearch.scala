package org.streamon.core.selections

/** The paper's search for a sequence: a monitor beside the executor, which asks rows the candidates of each
  * step, period after period. The macro-sequence takes one period less than there are constructs, and the
  * micro-arrows after it as many at most. Not thread-safe.
  *
  * @param rules
  *   number of rules
  * @param period
  *   rows of a period: tau
  * @param hybrid
  *   whether to look for micro-arrows
  */
final class PeriodSearch(rules: Int, constructs: IndexedSeq[Construct[_]], period: Int, hybrid: Boolean) {
  private val order = new PeriodMacro(rules, constructs, period)
  private lazy val arrows = new PeriodHybrid(rules, constructs, order.sequence, period)

  def isDone: Boolean = order.isDone && (!hybrid || arrows.isDone)

  /** What it has found; once it is done. */
  def found: Sequence = if (hybrid) arrows.sequence else Sequence(order.sequence)

  /** The shadow cost: constructs that rows were asked beside their own sequence. */
  def asked: Long = order.asked + (if (hybrid && order.isDone) arrows.asked else 0L)

  def observe(row: Regions): Unit = if (!order.isDone) order.observe(row) else arrows.observe(row)
}
