package org.streamon.core.constraints

import java.util.function.LongPredicate

/** The monitors of all constraints of a join (thesis, Section 6.6.3) in one partition, and by them the keys
  * that are over: those of which no more rows of an input come. Lives as long as the rows in memory do. In
  * each micro-batch a join calls `repeats` and `broken` for a row as it comes and `blamed` for a result with
  * a dead row; its [[ConstraintExecutor]] calls `observe` when all rows have come, `violated`, and `close`.
  * At last the join calls `release`. Not thread-safe.
  *
  * Distances are counted at the granularity of micro-batches, so that they do not depend on how a shuffle
  * interleaves rows, and are at most what they were where the rows came from.
  *
  * @param all
  *   what is measured. Where there is one of a key, whether that is unique is among them.
  * @param detect
  *   whether constraints that nobody declared are relied on as well
  */
final class ConstraintMonitors(
    keys: JoinKeys,
    val all: IndexedSeq[MonitoredConstraint],
    mode: ConstraintMode,
    detect: Boolean
) {
  import MonitoredConstraint._

  /** The share of keys, by hash, that monitors know of. */
  val share: Double = if (mode.evicts) 1.0 else ConstraintMonitors.ObservedShare

  private val n = keys.size
  private val trusted = all.filter(trusts)
  private val unique = byPlace(all.collect { case u: Unique => u })
  private val clustered = byPlace(all.collect { case c: Clustered => c })
  private val ordered = byPlace(all.collect { case o: Ordered => o })
  private val rids: Array[Array[Array[Rids]]] = Array.tabulate(keys.dimensions, n) { (d, of) =>
    all.collect { case r: Rids if r.dimension == d && r.of == of => r }.toArray
  }

  /** By dimension, by input. */
  private val places = Array.tabulate(keys.dimensions, n) { (d, of) =>
    all.filter(w => w.dimension == d && w.of == of)
  }

  private val declaredAt = places.map(_.map(_.filter(_.declared.nonEmpty).toArray))
  private val trustsUnique = byPlace(trusted.collect { case u: Unique => u })
  private val trustsClustered = byPlace(trusted.collect { case c: Clustered => c })
  private val trustsOrdered = byPlace(trusted.collect { case o: Ordered => o })
  private val trustsRids = rids.map(_.map(_.filter(trusted.contains(_))))

  /** The numbers of keys that no bound has passed, where there is one, and the bound that has last. */
  private val ahead = Array.ofDim[LongHeap](keys.dimensions, n)
  private val passed = Array.fill(keys.dimensions, n)(NoValue)

  /** Whether all groups have been looked at since an input was known to be unique. */
  private val believed = Array.ofDim[Boolean](keys.dimensions, n)

  private val watchedKeys = new LongBuffer
  private val gone = Array.fill(keys.dimensions)(new LongBuffer)

  /** A null where there is none. */
  private def byPlace[W <: MonitoredConstraint: reflect.ClassTag](some: Seq[W]): Array[Array[W]] =
    Array.tabulate(keys.dimensions, n) { (d, of) =>
      some.find(w => w.dimension == d && w.of == of).getOrElse(null.asInstanceOf[W])
    }

  /** Whether decisions rely on a constraint when it holds. That no key comes twice is not to be learned from
    * rows among which none has come twice yet: where rows are lost by it, it must be declared.
    */
  def trusts(constraint: MonitoredConstraint): Boolean =
    constraint.declared.nonEmpty || detect && mode != ConstraintMode.Strict &&
      (constraint.kind != "UNIQUE" || mode != ConstraintMode.Approximate)

  /** Whether monitors know of a key. */
  def isWatched(code: Long): Boolean = share == 1.0 || MonitorSettings.sampled(code, share)

  /** To be called when a row comes whose key others of its input have, in memory or not: from then on that
    * input is not believed to be unique, unless that is declared; of it CA is measured, and RIDS only where
    * it is declared.
    */
  def repeats(dimension: Int, input: Int): Unit = unique(dimension)(input).monitor.repeat(1L)

  /** Whether it is not known of an input yet that keys come again. */
  def mayBeUnique(dimension: Int, input: Int): Boolean = unique(dimension)(input).violations == 0

  /** The UNIQUE that is declared of an input. In strict a row that repeats a key stops the query by it. */
  def declaredUnique(dimension: Int, input: Int): Option[MonitoredConstraint] =
    Option.when(unique(dimension)(input).declared.nonEmpty)(unique(dimension)(input))

  /** Whether, by the constraints that are relied on, no more rows of an input come with the key of a group.
    */
  def closed(dimension: Int, group: KeyRows, of: Int): Boolean = {
    val u = trustsUnique(dimension)(of)
    val isThere = group.heads(of) >= 0
    isThere && u != null && u.isKept || !isThere && absent(dimension, group, of) || {
      val c = trustsClustered(dimension)(of)
      c != null && c.monitor.isClosed(group.code)
    } || {
      val o = trustsOrdered(dimension)(of)
      o != null && group.code < o.monitor.bound && group.code != NoValue
    }
  }

  private def absent(dimension: Int, group: KeyRows, of: Int): Boolean = {
    val own = trustsRids(dimension)(of)
    var k = 0
    while (k < own.length && !isOver(own(k), group)) k += 1
    k < own.length
  }

  private def isOver(rids: Rids, group: KeyRows): Boolean = {
    // With k = 0 it is over as soon as a row waits.
    def atOnce = rids.k == 0L && group.heads(rids.parent.get) >= 0 && isKnown(group.code)
    isMeasured(rids) && rids.isKept && (atOnce || rids.monitor.isClosed(group.code))
  }

  /** Whether monitors know of a key: of a null they never do. */
  private def isKnown(code: Long) = code != NoValue && isWatched(code)

  /** What a micro-batch has brought: by dimension, by input, the numbers of the keys. Of inputs that memory
    * has no room for nothing is measured: which keys they have is not known here.
    */
  def observe(arrived: Array[Array[LongBuffer]], rows: JoinRows): Unit =
    for (d <- 0 until keys.dimensions; of <- 0 until n if unique(d)(of) != null && rows.hasInMemory(of)) {
      val codes = arrived(d)(of)
      unique(d)(of).monitor.observe(codes.size.toLong)
      select(codes)
      if (codes.size > 0) {
        for (r <- rids(d)(of) if isMeasured(r))
          r.monitor.observeChildren(watchedKeys.array, watchedKeys.size, codes.size.toLong)
        if (clustered(d)(of) != null && isMeasured(clustered(d)(of)))
          clustered(d)(of).monitor.observe(watchedKeys.array, watchedKeys.size, codes.size.toLong)
        if (ordered(d)(of) != null) ordered(d)(of).monitor.observe(codes.array, codes.size)
      }
      for (r <- rids(d)(of) if isMeasured(r)) {
        parentsArrive(r, arrived(d)(r.parent.get), rows)
        if (codes.size > 0 && r.monitor.hasReturned) giveUpForgotten(r, rows)
      }
      watchedKeys.clear()
    }

  private def parentsArrive(r: Rids, codes: LongBuffer, rows: JoinRows): Unit = {
    select(codes)
    var k = 0
    while (k < watchedKeys.size) {
      val code = watchedKeys(k)
      val group = rows.find(r.dimension, code)
      if (group != null && group.heads(r.of) >= 0) r.monitor.parentFinds() else r.monitor.parentWaits(code)
      k += 1
    }
  }

  /** While k cannot be used keys are watched up to the horizon only, and their rows still wait. */
  private def giveUpForgotten(r: Rids, rows: JoinRows): Unit = rows.foreachKey(r.dimension) { group =>
    if (group.heads(r.parent.get) >= 0 && group.heads(r.of) < 0 && isKnown(group.code))
      r.monitor.parentWaited(group.code)
  }

  private def select(codes: LongBuffer): Unit = {
    watchedKeys.clear()
    var k = 0
    while (k < codes.size) {
      if (isKnown(codes(k))) watchedKeys.add(codes(k))
      k += 1
    }
  }

  /** Where keys come once the wait for them tells something; where they come again, how close. */
  private def isMeasured(constraint: MonitoredConstraint): Boolean = constraint.declared.nonEmpty || {
    val isUnique = unique(constraint.dimension)(constraint.of).k == 0L
    constraint match {
      case _: Clustered => !isUnique
      case _            => isUnique
    }
  }

  /** Gives each group, with its dimension, of which some key is over since the latest call. */
  def close(rows: JoinRows)(over: (Int, KeyRows, Int) => Unit): Unit =
    for (d <- 0 until keys.dimensions; of <- 0 until n if unique(d)(of) != null) {
      if (!believed(d)(of) && trustsUnique(d)(of) != null && trustsUnique(d)(of).isKept) {
        believed(d)(of) = true
        rows.foreachKey(d)(group => if (group.heads(of) >= 0) over(d, group, of))
      }
      val closing: LongPredicate = code => {
        val group = rows.find(d, code)
        if (group != null) over(d, group, of)
        group == null
      }
      // Of these no key is held back.
      rids(d)(of).foreach(_.monitor.close(closing.or(_ => true)))
      // Held while there are rows of the key: they may become dead later.
      if (clustered(d)(of) != null) clustered(d)(of).monitor.close(closing)
      if (trustsOrdered(d)(of) != null) pass(d, of, rows)(over)
    }

  private def pass(d: Int, of: Int, rows: JoinRows)(over: (Int, KeyRows, Int) => Unit): Unit = {
    val bound = trustsOrdered(d)(of).monitor.bound
    if (bound == NoValue) ahead(d)(of) = null
    else {
      if (ahead(d)(of) == null) {
        ahead(d)(of) = new LongHeap
        rows.foreachKey(d)(group => if (group.code >= passed(d)(of)) ahead(d)(of).push(group.code, 0))
      }
      val heap = ahead(d)(of)
      while (heap.least < bound) {
        val group = rows.find(d, heap.popAll())
        if (group != null) over(d, group, of)
      }
      heap.compact((code, _) => rows.find(d, code) != null)
    }
    passed(d)(of) = bound
  }

  /** A group that is new. */
  def made(dimension: Int, code: Long): Unit = {
    val heaps = ahead(dimension)
    var of = 0
    while (of < heaps.length) {
      if (heaps(of) != null) heaps(of).push(code, 0)
      of += 1
    }
  }

  /** A group of which no rows are left. */
  def isGone(dimension: Int, code: Long): Unit = gone(dimension).add(code)

  /** Lets go of what was held for groups that are gone. */
  def release(rows: JoinRows): Unit = for (d <- 0 until keys.dimensions) {
    for (c <- clustered(d) if c != null && c.monitor.hasHeldKeys; k <- 0 until gone(d).size)
      c.monitor.release(gone(d)(k), code => rows.find(d, code) == null)
    gone(d).clear()
  }

  /** Why a row was called dead that has a result all the same: the constraints that are relied on and said
    * that no row like the one of `input` would come. To be called for the rows of that result that may have
    * come last. Changes nothing; the constraints are for [[ConstraintExecutor.measure]], or for the error in
    * strict.
    *
    * @param dimension
    *   by which the way from the row of `input` to the dead one begins
    * @param code
    *   the number of its key there
    */
  def blamed(dimension: Int, input: Int, code: Long): Seq[MonitoredConstraint] = if (code == NoValue) Nil
  else
    places(dimension)(input).filter { w =>
      w.isKept && trusts(w) && (w match {
        case o: Ordered   => code < o.monitor.bound
        case r: Rids      => isMeasured(r) && (r.monitor.isClosed(code) || r.monitor.distance(code) < 0)
        case c: Clustered => isMeasured(c) && (c.monitor.isClosed(code) || c.monitor.distance(code) < 0)
        // One that comes again is told as it comes.
        case _ => false
      })
    }

  /** A constraint has been broken by a row that its monitor may not have watched. To be called at the end of
    * the micro-batch, after `observe`. The k of one that is learned becomes infinite, and no key is over by
    * it until it is learned again. One that is declared is relied on as before.
    */
  def violated(of: MonitoredConstraint): Unit = of match {
    case close: Close if close.declared.isEmpty => close.monitor.adherence.violated()
    case _                                      => ()
  }

  /** A declared constraint that a row of an input would break, by the number of its key; null when none. */
  def broken(dimension: Int, input: Int, code: Long): MonitoredConstraint = {
    val own = declaredAt(dimension)(input)
    var w = 0
    while (w < own.length && !breaks(own(w), code)) w += 1
    if (w < own.length) own(w) else null
  }

  private def breaks(constraint: MonitoredConstraint, code: Long) = constraint match {
    case o: Ordered   => code < o.monitor.bound && code != NoValue
    case r: Rids      => r.monitor.distance(code) > r.k
    case c: Clustered => c.monitor.distance(code) > c.k
    case _            => false
  }

  /** The counters of all, always as many, and of which keys it has been told that they are over. */
  def counters: Array[Long] = {
    val told =
      for (d <- 0 until keys.dimensions; of <- 0 until n)
        yield Array(if (believed(d)(of)) 1L else 0L, passed(d)(of))
    (all.map(_.counters) ++ told).toArray.flatten
  }

  /** Whether pages have changed since they were given: also without rows, for keys are let go of in the
    * micro-batch behind that in which they close.
    */
  def hasChanged: Boolean = all.exists(_.hasChanged)

  /** Into one that is new.
    *
    * @param page
    *   that was given last of a constraint, by number
    */
  def restore(counters: Array[Long], page: (MonitoredConstraint, Long) => Array[Long]): Unit = {
    var at = 0
    for (w <- all) {
      val until = at + w.counters.length
      w.restore(counters.slice(at, until), page(w, _))
      at = until
    }
    for (d <- 0 until keys.dimensions; of <- 0 until n) {
      // What was not relied on then, or is not now, is told of anew.
      believed(d)(of) = counters(at) == 1L && trustsUnique(d)(of) != null
      if (trustsOrdered(d)(of) != null)
        passed(d)(of) = math.min(counters(at + 1), trustsOrdered(d)(of).monitor.bound)
      at += 2
    }
  }

  private def heaps = ahead.flatten.filter(_ != null)

  /** What monitors and heaps take by their content. */
  def bytes: Long = all.map(_.bytes).sum + heaps.map(_.bytes).sum

  /** What all that is kept between micro-batches takes, by its arrays. */
  def memoryBytes: Long = all.map(_.memoryBytes).sum + heaps.map(_.memoryBytes).sum +
    gone.map(_.memoryBytes).sum + watchedKeys.memoryBytes + passed.map(8L * _.length).sum
}

object ConstraintMonitors {

  /** What is watched where nothing depends on it. */
  val ObservedShare: Double = 1.0 / 16
}
