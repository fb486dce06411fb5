package org.streamon.core.selections

import org.streamon.core.loop.{Decision, PlanRef, Versioned}

/** What moved a sequence.
  *
  * @param before
  *   what the trigger watches, in the period after the old sequence was adopted; none for the first one
  * @param now
  *   the same in the latest period
  */
final case class SequenceStatistics(before: Option[Double], now: Double)

/** The adaptive loop of shared selections (Section 5.2). Executors of several threads may share it: they read
  * the sequence without a lock, and tell what they have done now and then.
  *
  * @param rules
  *   number of rules
  * @param first
  *   the sequence to begin with
  */
final class SelectionLoop(
    rules: Int,
    constructs: IndexedSeq[Construct[_]],
    first: Sequence,
    settings: SequenceSettings = SequenceSettings()
) {
  private val log = new RegionLog(constructs.size, settings.sample)
  private val reoptimizer = new SequenceReoptimizer(rules, constructs, log, first, settings.hybrid)
  private val published = new PlanRef(first)
  private var rows, dropped, asked = 0L
  private var isSought = true
  private var adopted = Option.empty[Double]

  def current: Versioned[Sequence] = published.current

  /** Takes in the regions of a sampled row, by attribute. */
  def sampled(regions: Array[Int]): Unit = log.offer(regions)

  /** Takes in what rows have come to since it was last told. The change of sequence that follows, if any: a
    * search is done by the thread that tells of the last rows of a period.
    *
    * @param rows
    *   rows
    * @param dropped
    *   those of them in which no rule holds
    * @param asked
    *   constructs that they were asked
    */
  def account(
      rows: Long,
      dropped: Long,
      asked: Long
  ): Option[Decision[Sequence, SequenceStatistics]] = synchronized {
    this.rows += rows
    this.dropped += dropped
    this.asked += asked
    if (this.rows < settings.period) None
    else {
      val now = settings.trigger.watched(this.rows, this.dropped, this.asked)
      this.rows = 0
      this.dropped = 0
      this.asked = 0
      review(now)
    }
  }

  private def review(now: Double): Option[Decision[Sequence, SequenceStatistics]] = {
    // The first period of a sequence tells what it comes to.
    if (adopted.isEmpty && !isSought) adopted = Some(now)
    isSought ||= adopted.exists(moved(_, now))
    // Rows from before a change would lead to the sequence of then.
    if (!isSought) log.mark()
    if (isSought && log.size >= math.min(SelectionLoop.LeastRows, settings.sample)) search(now) else None
  }

  private def moved(before: Double, now: Double): Boolean =
    if (settings.threshold == 0.0) true
    else if (before == 0.0) now > 0.0 && settings.threshold < Double.PositiveInfinity
    else math.abs(now - before) / before >= settings.threshold

  private def search(now: Double): Option[Decision[Sequence, SequenceStatistics]] = {
    val (old, before) = (current.plan, adopted)
    val changed = reoptimizer.reoptimize()
    isSought = false
    adopted = None
    log.mark()
    if (changed) {
      published.publish(reoptimizer.plan)
      Some(Decision.now(old, reoptimizer.plan, SequenceStatistics(before, now)))
    } else None
  }
}

private object SelectionLoop {

  /** Sampled rows without which no sequence is sought, where as many are kept. */
  val LeastRows = 100
}
