package org.streamon.lab.baselines.constraints

import org.streamon.core.constraints.{
  ClusteringMonitor,
  ConstraintKind,
  Infinite,
  JoinDistanceMonitor,
  LongHeap,
  Monitor,
  MonitorSettings,
  NoValue,
  ScramblingMonitor
}

/** What is known of one join, from a parent to its child: the monitors of its constraints, and what their use
  * needs beside them. A constraint that is not there is null.
  */
private[lab] final class EdgeMonitors private (
    val edge: ManyOne,
    val rids: JoinDistanceMonitor,
    val ca: ClusteringMonitor,
    val oap: ScramblingMonitor,
    val oac: ScramblingMonitor
) {

  /** Join values of parent tuples in Unknown, for OAP. */
  val unknown: UnknownHistogram = if (oap == null) null else new UnknownHistogram

  /** Join values of children, in live parts and in No, that OAP has not passed. */
  val aheadLive: LongHeap = if (oap == null) null else new LongHeap
  val aheadNo: LongHeap = if (oap == null) null else new LongHeap

  /** Join values of parent tuples that wait for a child that OAC has not passed. */
  val waiting: LongHeap = if (oac == null) null else new LongHeap

  /** The share of keys, by hash, that RIDS knows of; below 1 where it would not pay. */
  var ridsShare: Double = 1.0

  /** Whether an absent child can be known never to come. */
  def tellsAbsence: Boolean =
    rids != null && rids.adherence.usable || oac != null && oac.adherence.usable

  /** After how many arrivals of the child its absence is known, by a parent's join value; `Infinite` when it
    * never is.
    */
  def absenceAfter(value: Long): Long = {
    val late = if (rids != null && rids.adherence.usable) rids.adherence.k else Infinite
    val passed =
      if (oac == null || !oac.adherence.usable) Infinite
      else math.max(oac.adherence.k + 1 - oac.distance(value), 0L)
    math.min(late, passed)
  }

  /** A micro-batch of one. */
  private val one = new Array[Long](1)

  /** Whether a child can be known to have no more parents to come. */
  def tellsEnd: Boolean = ca != null || oap != null

  def parentArrives(value: Long): Unit = if (value != NoValue) {
    one(0) = value
    if (ca != null) ca.observe(one, 1, 1L)
    if (oap != null) oap.observe(one, 1)
  }

  def childArrives(value: Long): Unit = if (value != NoValue) {
    one(0) = value
    if (rids != null) rids.observeChildren(one, 1, 1L)
    if (oac != null) oac.observe(one, 1)
  }

  /** A parent tuple whose child has come. */
  def finds(): Unit = if (rids != null) rids.parentFinds()

  /** A parent tuple waits for a child that has not come. True when it never will. */
  def waits(value: Long): Boolean = {
    val late =
      rids != null && (ridsShare == 1.0 || MonitorSettings.sampled(value, ridsShare)) && rids.parentWaits(
        value
      )
    val passed = oac != null && value < oac.bound
    if (!late && !passed && oac != null) waiting.push(value, 0)
    late || passed
  }

  def monitors: Seq[(ConstraintKind, Monitor)] = Seq(
    ConstraintKind.RIDS -> rids,
    ConstraintKind.CA -> ca,
    ConstraintKind.OAP -> oap,
    ConstraintKind.OAC -> oac
  ).filter(_._2 != null)

  /** Of monitors, histograms and heaps. */
  def bytes: Long = {
    var sum = 0L
    if (rids != null) sum += rids.bytes
    if (ca != null) sum += ca.bytes
    if (oap != null) sum += oap.bytes + unknown.bytes + aheadLive.bytes + aheadNo.bytes
    if (oac != null) sum += oac.bytes + waiting.bytes
    sum
  }
}

private[lab] object EdgeMonitors {

  /** Running maxima that are kept at most. */
  private val Most = 1 << 16

  /** @param k
    *   by kind, of those that there are; none for one that is learned
    */
  def apply(
      edge: ManyOne,
      settings: MonitorSettings,
      k: Map[ConstraintKind, Option[Long]]
  ): EdgeMonitors = {
    def of[M <: Monitor](kind: ConstraintKind)(make: Option[Long] => M): Option[M] = k.get(kind).map(make)
    new EdgeMonitors(
      edge,
      of(ConstraintKind.RIDS)(new JoinDistanceMonitor(settings, _)).orNull,
      of(ConstraintKind.CA)(new ClusteringMonitor(settings, _)).orNull,
      of(ConstraintKind.OAP)(new ScramblingMonitor(settings, _, Most)).orNull,
      of(ConstraintKind.OAC)(new ScramblingMonitor(settings, _, Most)).orNull
    )
  }
}
