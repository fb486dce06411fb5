package org.streamon.core.selections

/** The macro-sequence in two phases (Section 4.2.2): until each rule that asks any attribute asks one of the
  * sequence, the construct that leaves the fewest of the other rules alive; from there on the one after which
  * the most rows are dropped.
  */
object MacroSequence {

  def of(sample: SampledRegions): Sequence = {
    val n = sample.constructs.size
    val all = 0 until n
    val rows = 0 until sample.rows
    val covered = new RuleSet(sample.rules)
    val alive = rows.map(_ => sample.deciding.copy())
    val alone = all.map(a => rows.map(sample.set(_, a).cardinality.toLong).sum)

    /** Sum over the rows of the rules not covered that construct a leaves alive: Equation 2. */
    def passed(a: Int): Long = rows.map { row =>
      val set = sample.deciding.copy()
      set.retainAll(sample.set(row, a))
      set.removeAll(covered)
      set.cardinality.toLong
    }.sum

    def newlyCovered(a: Int): Int = {
      val used = sample.constructs(a).used
      used.cardinality - used.common(covered)
    }

    def dropped(a: Int): Int = rows.count(row => !alive(row).intersects(sample.set(row, a)))

    val sequence = all.foldLeft(Vector.empty[Int]) { (before, _) =>
      val left = all.filterNot(before.contains)
      val next =
        if (!covered.containsAll(sample.deciding)) left.minBy(a => (passed(a), -newlyCovered(a), a))
        else left.minBy(a => (-dropped(a), alone(a), a))
      covered.addAll(sample.constructs(next).used)
      rows.foreach(row => alive(row).retainAll(sample.set(row, next)))
      before :+ next
    }
    Sequence(sequence)
  }
}
