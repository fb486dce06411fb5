package org.streamon.core.constraints

/** Decides for each input whether its No tuples are kept, by what that saves.
  *
  * All that a constraint does only lets tuples go earlier, but for one thing: where RIDS or OAC are used the
  * thesis leaves No out, and then every tuple above a dead one waits until it is known that nothing comes.
  * That is how two constraints can be worse than one (Example 6.10.2, Figure 6.18). The thesis leaves the
  * choice open; here it is measured, in bytes on average over time:
  *   - kept, No takes what it holds. Its size follows from what is kept of it, all or the sample.
  *   - left out, every tuple that is turned away for a dead child would wait instead. How many there are by
  *     Little's law is their rate, counted on the same tuples, times their wait: k arrivals of the child, or
  *     the rest of their own window if that is shorter.
  *
  * Tuples that wait also hold back CA and OAP, and what RIDS knows of their keys takes memory; both are left
  * out of account.
  */
private[constraints] final class NoSavings(
    graph: DirectedJoinGraph,
    watches: Array[EdgeWatch],
    parts: Array[Components],
    policy: NoPolicy
) extends NoKeeping {
  import NoSavings._

  private val (sample, thrash, measures) = policy match {
    case NoPolicy.BySavings(sample, thrash) => (sample, thrash, true)
    case _                                  => (0.0, 1.0, false)
  }
  private val all = Array.tabulate(graph.n)(i => !graph.isRoot(i) && policy != NoPolicy.Never)
  private val turnedAway = new Array[Double](graph.edges.size)
  private val rates = Array.fill(graph.edges.size)(Double.NaN)
  private val arrived = new Array[Long](graph.n)
  private val spans = Array.fill(graph.n)(Double.PositiveInfinity)
  private val probeOrder = Array.fill(graph.n)(Long.MinValue)
  private val probeStart = new Array[Long](graph.n)
  private var arrivals = 0L
  private var since = 0L

  /** Whether all of an input's No tuples are kept. */
  def keepsAll(input: Int): Boolean = all(input)

  def keeps(input: Int, key: Long): Boolean =
    all(input) || sample > 0.0 && MonitorSettings.sampled(key, sample)

  def arrives(input: Int): Unit = {
    arrivals += 1
    arrived(input) += 1
  }

  /** A tuple's order, and how many of its input have expired: tells how long windows are. */
  def spans(input: Int, order: Long, expiredThrough: Long): Unit = if (measures) {
    if (probeOrder(input) == Long.MinValue) {
      probeOrder(input) = order
      probeStart(input) = arrivals
    } else if (expiredThrough >= probeOrder(input)) {
      spans(input) = (arrivals - probeStart(input)).toDouble
      probeOrder(input) = Long.MinValue
    }
  }

  /** The tuple in a live slot was turned away because a child of it is dead. */
  def rejected(input: Int, slot: Int, synopses: PartedSynopses): Unit = if (measures) {
    graph.toChildren(input).foreach { e =>
      val key = parts(input).key(slot, e)
      if (synopses.childPart(e, key) == Part.No) {
        val child = graph.edges(e).child
        turnedAway(e) += (if (all(child)) 1.0 else 1.0 / sample)
      }
    }
  }

  /** Decides anew, where it is time to. */
  def collect(): Unit = policy match {
    case NoPolicy.UnlessAbsenceIsTold =>
      var i = 0
      while (i < all.length) {
        set(i, !canLeaveOut(i))
        i += 1
      }
    case _: NoPolicy.BySavings if arrivals - since >= Period => decide()
    case _                                                   =>
  }

  private def decide(): Unit = {
    turnedAway.indices.foreach { e =>
      val rate = turnedAway(e) / (arrivals - since)
      rates(e) = if (rates(e).isNaN) rate else rates(e) + Weight * (rate - rates(e))
      turnedAway(e) = 0.0
    }
    since = arrivals
    all.indices.foreach { i =>
      if (!canLeaveOut(i)) set(i, keep = true)
      else {
        val (held, waiting) = (noBytes(i), waitingBytes(i))
        set(i, if (all(i)) held <= waiting * thrash else held * thrash < waiting)
      }
    }
  }

  private def canLeaveOut(input: Int): Boolean =
    !graph.isRoot(input) && graph.toParents(input).forall(watches(_).tellsAbsence)

  /** What No takes, or would. */
  def noBytes(input: Int): Double = {
    val no = parts(input).no
    no.size.toDouble * no.bytesEach / (if (all(input)) 1.0 else sample)
  }

  /** What the tuples above take that wait for dead ones, or would. */
  def waitingBytes(input: Int): Double = graph
    .toParents(input)
    .map { e =>
      val parent = graph.edges(e).parent
      val each = parts(parent).live.bytesEach
      val inAll = watches(e).absenceAfter * (arrivals.toDouble / math.max(arrived(input), 1L))
      if (rates(e) > 0) rates(e) * math.min(inAll, spans(parent)) * each else 0.0
    }
    .sum

  private def set(input: Int, keep: Boolean): Unit = if (!graph.isRoot(input) && all(input) != keep) {
    all(input) = keep
    if (!keep) parts(input).purgeNo(key => sample > 0.0 && MonitorSettings.sampled(key, sample))
  }
}

private[constraints] object NoSavings {

  /** Arrivals between two decisions, and the weight of the latest of them in a rate. */
  private val Period = 1024L
  private val Weight = 0.25
}
