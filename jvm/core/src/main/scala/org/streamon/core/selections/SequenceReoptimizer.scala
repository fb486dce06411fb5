package org.streamon.core.selections

import org.streamon.core.loop.Reoptimizer

/** The Re-optimizer of sequences: the macro-sequence, and where they are wanted the micro-arrows, that are
  * best for the sampled rows. Not thread-safe.
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
      val found = if (hybrid) HybridSequence.of(sample, order.macroSequence) else order
      val changed = found != current
      if (changed) current = found
      changed
    }
  }
}
