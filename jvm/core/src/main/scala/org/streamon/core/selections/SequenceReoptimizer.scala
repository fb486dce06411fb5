package org.streamon.core.selections

import org.streamon.core.loop.Reoptimizer

/** The Re-optimizer of sequences. It finds the macro-sequence, and where they are wanted the micro-arrows,
  * that are best for the sampled rows. The searches are greedy or local. So a sequence takes the place of the
  * current one only if it costs less on the same rows ([[SequenceSettings.arrowGain]]). Not thread-safe.
  */
private[selections] final class SequenceReoptimizer(
    rules: Int,
    constructs: IndexedSeq[Construct[_]],
    log: RegionLog,
    first: Sequence,
    settings: SequenceSettings
) extends Reoptimizer[Sequence] {
  import SequenceReoptimizer._

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
      val greedy = MacroSequence.of(sample)
      val order = improved(sample, greedy)
      val hybrid = Option.when(settings.hybrid)(HybridSequence.of(sample, order.macroSequence))
      val candidates = (Seq(current, Sequence(current.macroSequence), greedy, order) ++ hybrid).distinct
      val counts = candidates.map(asked(sample, _))
      val costs = candidates.zip(counts).map { case (sequence, count) => cost(sequence, count) }
      // The first of equals.
      val best = costs.indexOf(costs.min)
      val changed = candidates(best) != current
      if (changed) {
        compared = (counts.head.toDouble / sample.rows, counts(best).toDouble / sample.rows)
        current = candidates(best)
      }
      changed
    }
  }

  private def improved(sample: SampledRegions, greedy: Sequence): Sequence = {
    val n = constructs.size
    // Few rows tell less than the search finds, and where they are asked most constructs in any case it gains little.
    def gains = sample.rows >= settings.sample && asked(sample, greedy) <= sample.rows.toLong * n / 2
    if (settings.improves && n > 1 && gains) {
      val rows = math.min(sample.rows, MostTried / (n * (n - 1)))
      Sequence(ImprovedSequence.of(greedy.macroSequence, m => asked(sample, Sequence(m), rows)))
    } else greedy
  }

  /** What a sequence is judged by. A construct of a sequence with arrows counts as more than one. */
  private def cost(sequence: Sequence, asked: Long): Double =
    if (sequence.arrows.isEmpty) asked.toDouble else asked / (1.0 - settings.arrowGain)

  /** Constructs that a sequence asks of the sampled rows. */
  private def asked(sample: SampledRegions, sequence: Sequence): Long = asked(sample, sequence, sample.rows)

  /** The same of the first of them. */
  private def asked(sample: SampledRegions, sequence: Sequence, rows: Int): Long = {
    val selector = new Selector(rules, constructs, sequence, unchecked)
    for (row <- 0 until rows) selector.select(sample.region(row, _))
    selector.constructsAsked
  }
}

private object SequenceReoptimizer {

  /** Rows that a local search tries at most, in all of its sequences together. */
  val MostTried = 100000
}
