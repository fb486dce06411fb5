package org.streamon.core.caching

import java.util.function.LongSupplier
import java.util.random.RandomGenerator
import org.streamon.core.joins.{Bits, JoinGraph, PipelineOrders, ReferableSynopses}
import org.streamon.core.loop.{Decision, DecisionLog, Versioned}

/** The caches of one n-ary join (thesis, Chapter 5: A-Caching). Orders come first, from whatever keeps them;
  * then caches for these orders; then memory for these caches. Which caches are used follows from benefits
  * and costs that are measured while the join runs.
  *
  * All of it may be dropped at any moment: the results are the same. Not thread-safe, but for the memory and
  * the orders, which it shares with others.
  *
  * @param memory
  *   for the entries, and for what tells how often candidates would miss
  * @param random
  *   decides which rows are profiled
  * @param batches
  *   whether elements come in batches, input by input: then rates are those of whole batches, and plans
  *   change between them, or within one that is foreseen to bring other rates
  * @throws IllegalArgumentException
  *   when a cache is forced on windows that are not joined with each other
  */
final class JoinCaches(
    orders: PipelineOrders,
    settings: CacheSettings,
    memory: CacheMemory,
    random: RandomGenerator,
    batches: Boolean = false
) extends CacheMemory.Owner {
  private[caching] val graph: JoinGraph = orders.graph
  settings.forced.foreach { windows =>
    require(
      Bits.size(windows) >= 2 && Bits.size(windows) < graph.n && graph.connects(windows),
      s"a cache of the inputs ${Bits.members(windows).mkString(", ")} of ${graph.n}: expected two or more, " +
        "but not all, that are joined with each other"
    )
  }

  import JoinCaches._

  private val sign = new Sign
  private val contents = new CacheContents(memory, this, sign, settings.largest)
  private val profiler = new CacheProfiler(graph, settings, memory, random, batches)
  private val reoptimizer = new CacheReoptimizer(settings.change)
  private val decisions = new DecisionLog[JoinCaches.Change]
  private val phases = new CachePhases(settings.interval)
  private val checkEvery = math.min(math.max(settings.interval / Checks, FewestBetween), MostBetween)
  private var seen = Vector.empty[Long]

  /** Values that were too large to be kept when it was last looked. */
  private var tooLarge = 0L
  private var idle, surging = false
  @volatile private var mustShrink = false
  private[caching] var plan: CachePlan = _
  reorder()

  /** The caches of an input's pipeline, for the executor that runs it over some synopses.
    *
    * @param clock
    *   nanoseconds; read for profiled rows only
    * @param clockNanos
    *   what reading it adds to a measurement
    */
  def of(input: Int, synopses: ReferableSynopses, clock: LongSupplier, clockNanos: Double): CachedPipeline =
    new CachedPipeline(this, input, synopses, clock, clockNanos)

  /** To be told of a row before its pipeline runs.
    *
    * @param inserting
    *   whether it enters its window, or leaves it
    * @param isKept
    *   false for one that never will be in its window
    */
  def begin(inserting: Boolean, isKept: Boolean = true): Unit = {
    sign.inserting = inserting
    sign.isKept = isKept
  }

  /** Nobody works on it until `resume`: pages may be taken from its caches by other threads. */
  def suspend(): Unit = memory.synchronized {
    idle = true
    if (mustShrink) shrink()
  }
  def resume(): Unit = memory.synchronized { idle = false }

  /** Drops the content of every cache. */
  def dropAll(): Unit = memory.synchronized(contents.dropAll())

  /** Gives back all memory, for good. */
  def close(): Unit = memory.synchronized {
    contents.close()
    profiler.filters.close()
  }

  /** Of all caches that there were. */
  def hits: Long = contents.hits
  def misses: Long = contents.misses

  /** Tuples taken from caches on hits, by all that there were. */
  def tuplesRead: Long = contents.work.read

  /** Tuples of values with which one that came by for maintenance was compared. */
  def tuplesCompared: Long = contents.work.compared

  /** What is taken of the memory: by entries, and by what tells how often candidates would miss. */
  def bytes: Long = contents.bytes + profiler.filters.bytes

  /** Tuples put into caches on misses. */
  def tuplesCreated: Long = contents.work.created

  /** What every cache in use has done so far. */
  def reports: Seq[CacheReport] = reoptimizer.used.groupBy(_.content).toSeq.map { case (of, candidates) =>
    val content = contents(of)
    val estimates = candidates.flatMap(reoptimizer.estimate)
    CacheReport(
      candidates.map(_.toString),
      content.cache.hits,
      content.cache.misses,
      content.updates,
      content.cache.entries,
      content.cache.bytes,
      estimates.map(_.benefit).sum,
      estimates.map(_.cost).maxOption.getOrElse(0.0)
    )
  }

  /** The changes of plan since this was last called, the last thousand of them. */
  def takeDecisions(): Seq[Change] = decisions.take()

  override def lost(): Unit = if (idle) shrink() else mustShrink = true

  /** Every cache in use. */
  private[core] def inUse: Seq[(Candidate, CachedContent)] =
    reoptimizer.used.map(c => c -> contents(c.content))

  private[caching] def arrived(input: Int, order: Versioned[Array[Int]]): Unit = {
    if (order.version != seen(input)) reorder()
    if (mustShrink) shrink()
    if (settings.forced.isEmpty) profiler.arrived(input)
    if (adapts) {
      if (contents.work.tooLarge != tooLarge) bar()
      if (profiler.elements % checkEvery == 0) if (batches) foresee(input) else follow()
    }
  }

  /** Within a batch that brings far more of an input than others did, or less: statistics are gathered at
    * once, of the input that is coming, and the rest of the batch has caches by them. What the other inputs
    * cost is taken to be what it was; the next batch is gathered from as a whole.
    */
  private def foresee(input: Int): Unit =
    if (surging) {
      if (profiler.isComplete(Seq(input), reoptimizer.watched)) select()
    } else if (!phases.isOpen && profiler.surges) {
      surging = true
      profile()
    }

  /** To be called at the end of each batch, where elements come in batches. */
  def review(): Unit = {
    surging = false
    profiler.batchEnded()
    if (adapts) follow()
  }

  /** Looks whether the plan should change. */
  private def follow(): Unit =
    if (phases.isOpen) {
      if (profiler.isComplete(0 until graph.n, reoptimizer.watched)) select()
    } else {
      val elements = profiler.elements
      if (profiler.hasShifted) phases.changed(due = batches)
      if (phases.isTimeToCheck(elements)) {
        phases.checked(elements)
        dropLosing()
      }
      if (phases.isTime(elements)) profile()
    }

  private def adapts = settings.forced.isEmpty && reoptimizer.hasCandidates

  /** Whether statistics are gathered. */
  private[caching] def isProfiling: Boolean = phases.isOpen

  private[caching] def isSampled(input: Int): Boolean = phases.isOpen && profiler.isSampled(input)

  private def reorder(): Unit = {
    val current = Vector.tabulate(graph.n)(orders(_).current)
    seen = current.map(_.version)
    val before = if (plan == null) Vector() else plan.pipelines
    val pipelines = Vector.tabulate(graph.n)(i => orders(i).filters.pipeline(current(i).plan))
    val changed = before.indices.filterNot(i => before(i).sameElements(pipelines(i)))
    changed.foreach(profiler.forget)
    if (before.isEmpty || changed.nonEmpty) choose(pipelines)
  }

  private def choose(pipelines: IndexedSeq[Array[Int]]): Unit = {
    val places = new Candidates(graph, pipelines)
    val candidates = settings.mode match {
      case CacheMode.Off    => Nil
      case CacheMode.Prefix => places.prefix
      case CacheMode.Global =>
        if (settings.forced.isEmpty) places.global(settings.candidates) else places.global(Int.MaxValue)
    }
    if (settings.forced.isEmpty) {
      val now = candidates.take(MostCandidates)
      consider(now)
      profiler.filters.retain(now.toSet)
      // A phase that began within a batch would not measure the new pipelines of the inputs that came before.
      val waits = batches && plan != null && !phases.isOpen
      if (waits) phases.reordered() else phases.changed(due = false)
      if (phases.isOpen) reoptimizer.setAside()
      if (phases.isOpen || waits) replan(pipelines) else profile(pipelines)
    } else {
      val wanted = settings.forced.flatMap(set => candidates.filter(_.subresult == set))
      reoptimizer.force(wanted.take(MostCandidates))
      replan(pipelines)
    }
  }

  /** From now on only these candidates. */
  private def consider(now: Seq[Candidate]): Unit = {
    val before = reoptimizer.used.toSet
    reoptimizer.reordered(now)
    tell(before, _ => None)
  }

  private def profile(pipelines: IndexedSeq[Array[Int]] = plan.pipelines): Unit = {
    reoptimizer.profile()
    profiler.begin()
    if (reoptimizer.hasCandidates) phases.begin()
    replan(pipelines)
  }

  private def select(): Unit = {
    val before = reoptimizer.used.toSet
    val costs =
      reoptimizer.candidates.map(c => c -> profiler.costs(c, plan.pipelines(c.pipeline), miss(c))).toMap
    val changed = reoptimizer.select(costs, profiler.operator)
    profiler.settle()
    surging = false
    phases.end(profiler.elements, changed)
    tell(before, costs.get)
    replan(plan.pipelines)
    for (c <- reoptimizer.used) {
      val sharing = reoptimizer.used.filter(_.content == c.content)
      val net = sharing.map(costs(_).benefit).sum - costs(c).cost
      contents(c.content).memory.priority = net / expectedBytes(c)
    }
  }

  private def dropLosing(): Unit = {
    val before = reoptimizer.used.toSet
    def costs(c: Candidate) =
      missObserved(c).map(profiler.costs(c, plan.pipelines(c.pipeline), _))
    if (reoptimizer.dropLosing(costs).nonEmpty) {
      phases.changed(due = false)
      tell(before, costs)
      replan(plan.pipelines)
    }
  }

  /** Gives up the caches of values that are too large to be kept, before a batch is through, as long as the
    * orders stay: their segments run unpruned for nothing.
    */
  private def bar(): Unit = {
    tooLarge = contents.work.tooLarge
    val large = contents.tooLarge
    if (large.nonEmpty) {
      val left = reoptimizer.candidates.filterNot(c => large(c.content))
      consider(left)
      phases.changed(due = false)
      if (left.isEmpty && phases.isOpen) phases.end(profiler.elements, changed = true)
      replan(plan.pipelines)
    }
  }

  private def miss(c: Candidate): Double = {
    def watched = profiler.filters.get(c).map(_.missProbability).filterNot(_.isNaN)
    missObserved(c).orElse(watched).getOrElse(1.0)
  }

  private def missObserved(c: Candidate): Option[Double] =
    if (reoptimizer.used.contains(c)) contents.miss(c.content) else None

  private def expectedBytes(c: Candidate): Double = {
    val size = CacheCosts.size(graph, c, profiler.statistics(c.pipeline))
    // One that is new has none yet, and one that was denied memory has fewer than it would.
    val watched = profiler.filters.get(c).fold(0L)(_.keys)
    val entries = math.max(contents(c.content).cache.entries.toLong, watched)
    math.max(entries, 1L) * (EntryBytes + 8.0 * c.windows.size * size)
  }

  private def replan(pipelines: IndexedSeq[Array[Int]]): Unit = {
    val used = reoptimizer.used
    contents.keep(used.map(_.content))
    def withContent(c: Candidate) = c -> contents(c.content)
    plan = new CachePlan(
      pipelines,
      profiler.statistics,
      reoptimizer.lookedUp.map(withContent),
      used.map(withContent),
      if (phases.isOpen) reoptimizer.watched.map(c => c -> profiler.filters(c)) else Nil
    )
  }

  private def tell(before: Set[Candidate], costs: Candidate => Option[CacheCosts]): Unit = {
    val after = reoptimizer.used.toSet
    if (before != after) {
      val net = for (c <- before ++ after; known <- costs(c)) yield c.toString -> (known.benefit - known.cost)
      decisions.add(Decision.now(before.map(_.toString), after.map(_.toString), net.toMap))
    }
  }

  private def shrink(): Unit = {
    mustShrink = false
    contents.shrink()
  }
}

object JoinCaches {

  /** A change of the caches in use, by the places where they are looked up. What is known of these: the
    * benefit less the cost, nanoseconds for each element of the join.
    */
  type Change = Decision[Set[String], Map[String, Double]]

  /** Looks at whether statistics are complete, in an interval; and elements between two of them. */
  private val Checks = 64
  private val FewestBetween = 8
  private val MostBetween = 64

  /** Each takes at most one place in a pipeline, of `PipelineCaching.Places`. */
  private val MostCandidates = 48

  /** Of an entry and its buckets, beside its references. */
  private val EntryBytes = 120.0
}
