package org.streamon.core.selections

import java.util.concurrent.atomic.AtomicBoolean

import org.streamon.core.loop.{Decision, PlanRef, Versioned}

/** What moved a sequence.
  *
  * @param before
  *   what the trigger watches, in the period after the old sequence was adopted; none for the first one
  * @param now
  *   the same in the latest period
  * @param oldAsked
  *   constructs that the old sequence asks of a sampled row
  * @param newAsked
  *   the same of the new one
  */
final case class SequenceStatistics(before: Option[Double], now: Double, oldAsked: Double, newAsked: Double)

/** The adaptive loop of shared selections (Section 5.2). Executors of several threads may share it: they read
  * the sequence without a lock, and tell what they have done now and then. A review, which may search, is for
  * another thread than that of the rows.
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
  private val reoptimizer = new SequenceReoptimizer(rules, constructs, log, first, settings)
  private val published = new PlanRef(first)
  private val reviewing = new AtomicBoolean
  private var rows, dropped, asked = 0L
  private var isFresh = true
  // No sequence has been found, or the rows have changed since.
  @volatile private var isSought = true
  // The sequence was found from fewer rows than are kept.
  @volatile private var isRough = true
  // Where the period begins in the log.
  private var periodFrom = 0L
  private var adopted = Option.empty[Double]

  def current: Versioned[Sequence] = published.current

  /** Begins with a sequence that was learned elsewhere. No effect when rows have been told of here. */
  def begin(sequence: Sequence): Unit = synchronized {
    if (isFresh && current.plan != sequence) {
      reoptimizer.begin(sequence)
      published.publish(sequence)
    }
  }

  /** Whether sampled rows are of use. They are not once a sequence has been found from as many as are kept,
    * until the rows change.
    */
  def wantsSamples: Boolean = isSought || isRough || settings.threshold == 0.0

  /** Takes in the regions of a sampled row, by attribute. */
  def sampled(regions: Array[Int]): Unit = log.offer(regions)

  /** Takes in what rows have come to. No effect when their sequence is no longer the current one.
    *
    * @param seen
    *   their sequence
    * @param rows
    *   how many
    * @param dropped
    *   those of them for which no rule that asks any attribute holds
    * @param asked
    *   constructs that they were asked
    */
  def account(seen: Versioned[Sequence], rows: Long, dropped: Long, asked: Long): Unit = synchronized {
    isFresh = false
    if (published.isCurrent(seen)) {
      this.rows += rows
      this.dropped += dropped
      this.asked += asked
    }
  }

  /** Whether a period has ended. */
  def isDue: Boolean = synchronized(rows >= settings.period) && !reviewing.get

  /** Ends a period. Searches for a sequence where the current one no longer suits, and once more when all
    * sampled rows have come that are kept; rows may go on meanwhile. One at a time; another one does nothing.
    * The change of sequence that follows, if any.
    */
  def review(): Option[Decision[Sequence, SequenceStatistics]] =
    if (!isDue || !reviewing.compareAndSet(false, true)) None
    else
      try {
        val now = period()
        // The first period of a sequence tells what it comes to.
        if (adopted.isEmpty && !isSought) adopted = Some(now)
        if (!isSought && adopted.exists(Trigger.moved(_, now, settings.threshold))) {
          isSought = true
          isRough = true
          // Rows from before this period would lead to the sequence of then.
          log.mark(periodFrom)
        }
        periodFrom = log.position
        val enough = if (isSought) SelectionLoop.LeastRows else settings.sample
        if (wantsSamples && log.size >= math.min(enough, settings.sample)) search(now) else None
      } finally reviewing.set(false)

  /** What the trigger has watched since the last period. */
  private def period(): Double = synchronized {
    val watched = settings.trigger.watched(rows, dropped, asked)
    startPeriod()
    watched
  }

  private def startPeriod(): Unit = {
    rows = 0
    dropped = 0
    asked = 0
  }

  private def search(now: Double): Option[Decision[Sequence, SequenceStatistics]] = {
    val (old, before) = (current.plan, adopted)
    val isFull = log.size >= settings.sample
    // Rows that come during the search are too late for it, and none are of use where it fails.
    isSought = false
    isRough = false
    adopted = None
    val changed = reoptimizer.reoptimize()
    isRough = !isFull
    if (changed) {
      synchronized {
        published.publish(reoptimizer.plan)
        startPeriod()
      }
      val (oldAsked, newAsked) = reoptimizer.asked
      Some(Decision.now(old, reoptimizer.plan, SequenceStatistics(before, now, oldAsked, newAsked)))
    } else None
  }
}

private object SelectionLoop {

  /** Sampled rows that the first search after a change needs. It needs fewer where fewer are kept. */
  val LeastRows = 100
}
