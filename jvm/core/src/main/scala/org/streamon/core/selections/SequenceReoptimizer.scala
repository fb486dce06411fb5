package org.streamon.core.selections

import org.streamon.core.loop.Reoptimizer

/** The Re-optimizer of sequences. It finds the macro-sequence, and where they are wanted the micro-arrows,
  * that are best for the sampled rows. Both searches are greedy. So a sequence takes the place of the current
  * one only if it asks fewer constructs of the same rows. Not thread-safe.
  */
private[selections] final class SequenceReoptimizer(
    rules: Int,
    constructs: IndexedSeq[Construct[_]],
    log: RegionLog,
    first: Sequence,
    hybrid: Boolean
) extends Reoptimizer[Sequence] {
  private var current = first

  def name: String = if (hybrid) "hybrid" else "macro"

  def plan: Sequence = current

  def reoptimize(): Boolean = {
    val sample = new SampledRegions(rules, constructs, log.rows)
    sample.rows > 0 && {
      val order = MacroSequence.of(sample)
      val candidates =
        if (hybrid) Seq(current, order, HybridSequence.of(sample, order.macroSequence))
        else Seq(current, order)
      // The first of equals.
      val found = candidates.minBy(asked(sample, _))
      val changed = found != current
      if (changed) current = found
      changed
    }
  }

  /** Constructs that a sequence asks of the sampled rows. */
  private def asked(sample: SampledRegions, sequence: Sequence): Long = {
    val selector = new Selector(rules, constructs, sequence)
    for (row <- 0 until sample.rows) selector.select(sample.region(row, _))
    selector.constructsAsked
  }
}
