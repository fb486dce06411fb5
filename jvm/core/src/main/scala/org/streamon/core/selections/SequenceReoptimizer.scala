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
    settings: SequenceSettings
) extends Reoptimizer[Sequence] {
  // What holds in the end changes nothing of what is asked.
  private val unchecked = RegionChecks.none(rules)
  @volatile private var current = first
  private var compared = (Double.NaN, Double.NaN)

  def name: String = if (settings.hybrid) "hybrid" else "macro"

  def plan: Sequence = current

  /** Constructs that were asked of a sampled row before the latest change, and after it. */
  def asked: (Double, Double) = compared

  /** Goes on from another sequence than the first. */
  def begin(sequence: Sequence): Unit = current = sequence

  def reoptimize(): Boolean = {
    val sample = new SampledRegions(rules, constructs, log.rows)
    sample.rows > 0 && {
      val order = ordered(sample)
      val candidates =
        if (settings.hybrid) Seq(current, order, HybridSequence.of(sample, order.macroSequence))
        else Seq(current, order)
      val each = candidates.map(asked(sample, _))
      // The first of equals.
      val found = candidates(each.indexOf(each.min))
      val changed = found != current
      if (changed) {
        compared = (each.head.toDouble / sample.rows, each.min.toDouble / sample.rows)
        current = found
      }
      changed
    }
  }

  private def ordered(sample: SampledRegions): Sequence = {
    val greedy = MacroSequence.of(sample)
    // It takes a while. Few rows tell less than it finds, and where they are asked most constructs in any case it
    // gains little.
    def gains = sample.rows >= settings.sample && asked(sample, greedy) <= sample.rows * constructs.size / 2
    if (settings.improves && gains)
      Sequence(ImprovedSequence.of(greedy.macroSequence, m => asked(sample, Sequence(m))))
    else greedy
  }

  /** Constructs that a sequence asks of the sampled rows. */
  private def asked(sample: SampledRegions, sequence: Sequence): Long = {
    val selector = new Selector(rules, constructs, sequence, unchecked)
    for (row <- 0 until sample.rows) selector.select(sample.region(row, _))
    selector.constructsAsked
  }
}
