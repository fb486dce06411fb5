package org.streamon.core.caching

import org.streamon.core.joins.{JoinGraph, PipelineOrders}
import org.streamon.core.loop.{Decision, DecisionLog, PlanRef, Reoptimizer, Versioned}

/** The adaptive loop of the caches of one join (thesis, Section 5.5): has statistics gathered from time to
  * time, lets the rules of the [[CacheReoptimizer]] choose by them, and publishes what is used, maintained
  * and watched from then on.
  *
  * @param batches
  *   whether elements come in batches, input by input
  */
private[caching] final class CacheLoop(
    orders: PipelineOrders,
    settings: CacheSettings,
    contents: SharedCaches,
    val profiler: CacheProfiler,
    batches: Boolean
) extends Reoptimizer[CachePlan] {
  import CacheLoop._

  private val graph: JoinGraph = orders.graph
  private val rates = profiler.rates
  private val rules = new CacheReoptimizer(settings.change)
  private val phases = new CachePhases(settings.interval)
  private val checkEvery = math.min(math.max(settings.interval / Checks, FewestBetween), MostBetween)
  private var seen = Vector.empty[Long]

  /** Values that were too large to be kept when it was last looked. */
  private var tooLarge = 0L
  private var surging = false
  private val published = new PlanRef(CachePlan.empty)

  /** The changes of the caches in use. */
  val decisions: DecisionLog[JoinCaches.Change] = new DecisionLog

  reorder()

  def name: String = s"a-caching ${settings.mode.name}"

  def current: Versioned[CachePlan] = published.current

  def plan: CachePlan = current.plan

  /** Candidates that are used now. */
  def used: Seq[Candidate] = rules.used

  /** The benefits and costs by which a candidate was last chosen. */
  def estimate(candidate: Candidate): Option[CacheCosts] = rules.estimate(candidate)

  /** Whether statistics are gathered. */
  def isProfiling: Boolean = phases.isOpen

  def isSampled(input: Int): Boolean = phases.isOpen && profiler.isSampled(input)

  /** To be told of an element before its pipeline runs. */
  def arrived(input: Int, order: Versioned[Array[Int]]): Unit = {
    if (order.version != seen(input)) reorder()
    if (settings.forced.isEmpty) rates.arrived(input)
    if (adapts) {
      if (contents.work.tooLarge != tooLarge) bar()
      if (rates.elements % checkEvery == 0) if (batches) foresee(input) else reoptimize()
    }
  }

  /** Within a batch that brings far more of an input than others did, or less: statistics are gathered at
    * once, of the input that is coming, and the rest of the batch has caches by them. What the other inputs
    * cost is taken to be what it was; the next batch is gathered from as a whole.
    */
  private def foresee(input: Int): Unit =
    if (surging) {
      if (profiler.isComplete(Seq(input), rules.watched)) select()
    } else if (!phases.isOpen && rates.surges && profiler.isKnown) {
      surging = true
      profile()
    }

  /** To be told of the end of each batch, where elements come in batches. */
  def review(): Unit = {
    surging = false
    rates.batchEnded()
    if (adapts) reoptimize()
    ()
  }

  def reoptimize(): Boolean = {
    val before = current
    if (phases.isOpen) {
      if (profiler.isComplete(0 until graph.n, rules.watched)) select()
    } else {
      val elements = rates.elements
      if (rates.hasShifted) phases.changed(due = batches)
      if (phases.isTimeToCheck(elements)) {
        phases.checked(elements)
        dropLosing()
      }
      if (phases.isTime(elements)) profile()
    }
    current.version != before.version
  }

  private def adapts = settings.forced.isEmpty && rules.hasCandidates

  private def reorder(): Unit = {
    val current = Vector.tabulate(graph.n)(orders(_).current)
    seen = current.map(_.version)
    val before = plan.pipelines
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
      profiler.misses.retain(now.toSet)
      // A phase that began within a batch would not measure the new pipelines of the inputs that came before.
      val waits = batches && plan.pipelines.nonEmpty && !phases.isOpen
      if (waits) phases.reordered() else phases.changed(due = false)
      if (phases.isOpen) rules.setAside()
      if (phases.isOpen || waits) replan(pipelines) else profile(pipelines)
    } else {
      val wanted = settings.forced.flatMap(set => candidates.filter(_.subresult == set))
      rules.force(wanted.take(MostCandidates))
      replan(pipelines)
    }
  }

  /** From now on only these candidates. */
  private def consider(now: Seq[Candidate]): Unit = {
    val before = rules.used.toSet
    rules.reordered(now)
    tell(before, _ => None)
  }

  private def profile(pipelines: IndexedSeq[Array[Int]] = plan.pipelines): Unit = {
    rules.profile()
    profiler.begin()
    if (rules.hasCandidates) phases.begin()
    replan(pipelines)
  }

  private def select(): Unit = {
    val before = rules.used.toSet
    val costs =
      rules.candidates.map(c => c -> profiler.costs(c, plan.pipelines(c.pipeline), miss(c))).toMap
    val changed = rules.select(costs, profiler.operator)
    rates.settle()
    surging = false
    phases.end(rates.elements, changed)
    tell(before, costs.get)
    replan(plan.pipelines)
    for (c <- rules.used) {
      val sharing = rules.used.filter(_.content == c.content)
      val net = sharing.map(costs(_).benefit).sum - costs(c).cost
      contents(c.content).memory.priority = net / expectedBytes(c)
    }
  }

  private def dropLosing(): Unit = {
    val before = rules.used.toSet
    val costs =
      for (c <- before; miss <- missObserved(c))
        yield c -> profiler.costs(c, plan.pipelines(c.pipeline), miss)
    if (rules.dropLosing(costs.toMap.get).nonEmpty) {
      phases.changed(due = false)
      tell(before, costs.toMap.get)
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
      val left = rules.candidates.filterNot(c => large(c.content))
      consider(left)
      phases.changed(due = false)
      if (left.isEmpty && phases.isOpen) phases.end(rates.elements, changed = true)
      replan(plan.pipelines)
    }
  }

  private def miss(c: Candidate): Double = {
    def watched = profiler.misses.get(c).map(_.missProbability).filterNot(_.isNaN)
    missObserved(c).orElse(watched).getOrElse(1.0)
  }

  private def missObserved(c: Candidate): Option[Double] =
    if (rules.used.contains(c)) contents.miss(c.content) else None

  private def expectedBytes(c: Candidate): Double = {
    val size = CacheCosts.size(graph, c, profiler.statistics(c.pipeline))
    // One that is new has none yet, and one that was denied memory has fewer than it would.
    val watched = profiler.misses.get(c).fold(0L)(_.keys)
    val entries = math.max(contents(c.content).cache.entries.toLong, watched)
    math.max(entries, 1L) * (EntryBytes + 8.0 * c.windows.size * size)
  }

  private def replan(pipelines: IndexedSeq[Array[Int]]): Unit = {
    val used = rules.used
    contents.keep(used.map(_.content))
    def withContent(c: Candidate) = c -> contents(c.content)
    published.publish(
      new CachePlan(
        pipelines,
        rules.lookedUp.map(withContent),
        used.map(withContent),
        if (phases.isOpen) rules.watched.map(c => c -> profiler.misses(c)) else Nil
      )
    )
  }

  private def tell(before: Set[Candidate], costs: Candidate => Option[CacheCosts]): Unit = {
    val after = rules.used.toSet
    if (before != after) {
      val net = for (c <- before ++ after; known <- costs(c)) yield c.toString -> (known.benefit - known.cost)
      decisions.add(Decision.now(before.map(_.toString), after.map(_.toString), net.toMap))
    }
  }
}

private object CacheLoop {

  /** Looks at whether statistics are complete, in an interval; and elements between two of them. */
  private val Checks = 64
  private val FewestBetween = 8
  private val MostBetween = 64

  /** Each takes at most one place in a pipeline, of `PipelineCaching.Places`. */
  private val MostCandidates = 48

  /** Of an entry and its buckets, beside its references. */
  private val EntryBytes = 120.0
}
