package org.streamon.core.selections

/** The search for a macro-sequence in monitoring periods, as the paper has it (Section 4.2.2). Each period
  * finds the next construct, with one counter for each that is left. [[MacroSequence]] has all rows at once,
  * and finds the same where all periods have the same rows. Not thread-safe.
  *
  * @param period
  *   rows of a period: tau
  */
private[selections] final class PeriodMacro(rules: Int, constructs: IndexedSeq[Construct[_]], period: Int) {
  private val sets = new KnownSets(constructs)
  private val deciding = Construct.asking(rules, constructs)
  private val uncovered = deciding.copy()
  private var found = Vector.empty[Int]
  private var left = constructs.indices.toVector

  /** By construct: rules passed before all rules are covered, and rows dropped afterwards. */
  private val measured = new Array[Long](constructs.size)

  /** By construct, the rules passed in the first period, which decide between equals. */
  private var alone = measured
  private var rows = 0
  private var evaluated = 0L

  /** Constructs that rows were asked for the search. */
  def asked: Long = evaluated

  /** After one period less than there are constructs: one that is left alone comes last. */
  def isDone: Boolean = left.size <= 1

  /** Each attribute once; true when the search is done. */
  def sequence: IndexedSeq[Int] = found ++ left

  def observe(row: Regions): Unit = {
    if (uncovered.isEmpty) drop(row) else pass(row)
    rows += 1
    if (rows == period) choose()
  }

  /** Equation 2: what a construct leaves alive of the rules not covered, whatever came before it. */
  private def pass(row: Regions): Unit = {
    left.foreach(a => measured(a) += sets(a, row.region(a)).common(uncovered))
    evaluated += left.size
  }

  /** Equation 3. */
  private def drop(row: Regions): Unit = {
    val alive = deciding.copy()
    var step = 0
    while (step < found.size && !alive.isEmpty) {
      val a = found(step)
      alive.retainAll(sets(a, row.region(a)))
      step += 1
    }
    evaluated += step
    // A row that is dropped before is dropped by all.
    if (!alive.isEmpty) {
      left.foreach(a => if (!alive.intersects(sets(a, row.region(a)))) measured(a) += 1)
      evaluated += left.size
    }
  }

  private def choose(): Unit = {
    if (found.isEmpty) alone = measured.clone()
    val next =
      if (uncovered.isEmpty) left.minBy(a => (-measured(a), alone(a), a))
      else left.minBy(a => (measured(a), -constructs(a).used.common(uncovered), a))
    found :+= next
    left = left.filterNot(_ == next)
    uncovered.removeAll(constructs(next).used)
    java.util.Arrays.fill(measured, 0L)
    rows = 0
  }
}
