package org.streamon.lab.baselines.constraints

import org.streamon.core.constraints.MonitorSettings

/** Decides for each input, by what that saves, whether its No tuples are kept and RIDS on the joins with its
  * parents is used.
  *
  * All that a constraint does only lets tuples go earlier, but for two things. Where RIDS or OAC are used the
  * thesis leaves No out, and then every tuple above a dead one waits until it is known that nothing comes.
  * And what RIDS knows of keys takes memory. That is how two constraints can be worse than one (Example
  * 6.10.2, Figure 6.18). The thesis leaves the choice open; here it is measured, in bytes on average over
  * time:
  *   - No, where it is kept, takes what it holds. Its size follows from what is kept of it, all or a sample.
  *   - Left out, every tuple that is turned away for a dead child would wait instead. How many do by Little's
  *     law is their rate, counted on the same tuples, times their wait: k arrivals of the child, or their
  *     whole window if that is shorter.
  *   - RIDS takes what its keys take, of all or of a sample, and saves the tuples that it closes for the rest
  *     of their windows: Little's law again.
  *
  * Samples are by hash of the key. That tuples which wait hold back CA and OAP is left out of account.
  */
private[constraints] final class NoComponentChoice(
    graph: DirectedJoinGraph,
    edgeMonitors: Array[EdgeMonitors],
    parts: Array[Components],
    policy: NoComponentPolicy
) extends NoComponents {
  import NoComponentChoice._

  private val (sample, thrash, period, measures) = policy match {
    case NoComponentPolicy.BySavings(sample, thrash, period) => (sample, thrash, period, true)
    case _                                                   => (0.0, 1.0, 1, false)
  }
  private val toParents = graph.toParents.map(_.toArray).toArray
  private val toChildren = graph.toChildren.map(_.toArray).toArray
  private val all = Array.tabulate(graph.n)(i => !graph.isRoot(i))
  private val waits, closed = Array.fill(edgeMonitors.length)(new Rate)
  private val arrived = new Array[Long](graph.n)
  private val spans = Array.fill(graph.n)(Double.PositiveInfinity)
  private val probeOrder = Array.fill(graph.n)(Long.MinValue)
  private val probeStart = new Array[Long](graph.n)
  private var arrivals = 0L
  private var since = 0L

  /** Whether all of an input's No tuples are kept. */
  def keepsAll(input: Int): Boolean = all(input)

  def keeps(input: Int, key: Long): Boolean = all(input) || sampled(key)

  private def sampled(key: Long) = sample > 0.0 && MonitorSettings.sampled(key, sample)

  /** An arrival; its order, and up to which tuples of its input have expired, tell how long windows are. */
  def rowArrived(input: Int, order: Long, expiredThrough: Long): Unit = if (measures) {
    if (probeOrder(input) == Long.MinValue) {
      probeOrder(input) = order
      probeStart(input) = arrivals
    } else if (expiredThrough >= probeOrder(input)) {
      spans(input) = (arrivals - probeStart(input)).toDouble
      probeOrder(input) = Long.MinValue
    }
    arrivals += 1
    arrived(input) += 1
  }

  /** The tuple in a live slot was turned away because a child of it is dead. */
  def rejected(input: Int, slot: Int, synopses: PartedSynopses): Unit = if (measures) {
    var k = 0
    while (k < toChildren(input).length) {
      val e = toChildren(input)(k)
      val key = parts(input).key(slot, e)
      if (synopses.childPart(e, key) == Part.No) {
        val wait = math.min(inAll(e, edgeMonitors(e).absenceAfter(key).toDouble), spans(input))
        if (wait < 1e18) waits(e).count += (if (all(graph.edges(e).child)) wait else wait / sample)
      }
      k += 1
    }
  }

  /** So many tuples went because RIDS says that their child never comes. */
  def closes(edge: Int, tuples: Int): Unit =
    if (measures) closed(edge).count += tuples / edgeMonitors(edge).ridsShare

  /** Decides anew, where it is time to. */
  def collect(): Unit =
    if (measures) {
      if (arrivals - since >= period) decide()
    } else {
      var i = 0
      while (i < all.length) {
        set(i, !canLeaveOut(i))
        i += 1
      }
    }

  private def decide(): Unit = {
    (waits ++ closed).foreach(_.settle(arrivals - since))
    since = arrivals
    all.indices.foreach { i =>
      if (!graph.isRoot(i)) {
        val keeping = noBytes(i) + toParents(i).map(e => math.min(0.0, ridsCost(e))).sum
        val leaving =
          if (canLeaveOut(i)) waitingBytes(i) + toParents(i).map(ridsCost).sum else Double.PositiveInfinity
        val better = if (all(i)) leaving * thrash < keeping else leaving <= keeping * thrash
        set(i, keep = !better)
        toParents(i).foreach(e => edgeMonitors(e).ridsShare = if (better || ridsCost(e) < 0) 1.0 else sample)
      }
    }
  }

  private def canLeaveOut(input: Int): Boolean = toParents(input).length > 0 && {
    var k = 0
    while (k < toParents(input).length && edgeMonitors(toParents(input)(k)).tellsAbsence) k += 1
    k == toParents(input).length
  }

  /** What No takes, or would. */
  private def noBytes(input: Int): Double = {
    val no = parts(input).no
    no.size.toDouble * no.bytesEach / (if (all(input)) 1.0 else sample)
  }

  /** What the tuples above take that wait for dead ones, or would. */
  private def waitingBytes(input: Int): Double =
    toParents(input).map(e => waits(e).of * parts(graph.edges(e).parent).live.bytesEach).sum

  /** What RIDS takes, or would, less what it saves. */
  private def ridsCost(e: Int): Double = {
    val monitors = edgeMonitors(e)
    if (monitors.rids == null || !monitors.rids.adherence.usable) 0.0
    else {
      val parent = graph.edges(e).parent
      val rest = math.max(spans(parent) - inAll(e, monitors.rids.adherence.k.toDouble), 0.0)
      val saved = if (closed(e).of > 0) closed(e).of * rest * parts(parent).live.bytesEach else 0.0
      monitors.rids.pending.toDouble * KeyBytes / monitors.ridsShare - saved
    }
  }

  /** Arrivals of all inputs for some of an edge's child. */
  private def inAll(e: Int, ofChild: Double): Double = {
    val child = arrived(graph.edges(e).child)
    ofChild * (arrivals.toDouble / math.max(child, 1L))
  }

  private def set(input: Int, keep: Boolean): Unit = if (toParents(input).length > 0 && all(input) != keep) {
    all(input) = keep
    if (!keep) parts(input).purgeNo(sampled)
  }
}

private[constraints] object NoComponentChoice {

  /** What one more key takes that waits, about: itself, and its places in the index and the heap. */
  private val KeyBytes = 17L + 16L + 12L

  /** Of the arrivals since the latest decision in a rate. */
  private val Weight = 0.25

  /** Of events, or of what they add up to, for each arrival. */
  private final class Rate {
    var count = 0.0
    private var mean = Double.NaN

    def settle(arrivals: Long): Unit = {
      val now = count / arrivals
      mean = if (mean.isNaN) now else mean + Weight * (now - mean)
      count = 0.0
    }

    def of: Double = mean
  }
}
