package org.streamon.lab

import java.util.SplittableRandom

import org.streamon.core.filters.{DropProfiling, FilterSet, OrderLoop, Precedence, StaticOrder}
import org.streamon.core.routes._
import org.streamon.lab.baselines.routes.Eddy

/** What a plan of the ten-way join did.
  *
  * @param inTurn
  *   look-ups of operators in their turn
  * @param artificial
  *   look-ups for the profile only
  * @param tests
  *   of the classifier
  * @param decisions
  *   of a router
  * @param compared
  *   operators that a router compared
  * @param cpuNanos
  *   processor time
  */
private[lab] final case class RouteWork(
    rows: Long,
    inTurn: Long,
    artificial: Long,
    tests: Long,
    decisions: Long,
    compared: Long,
    cpuNanos: Long
) {
  def -(o: RouteWork): RouteWork = RouteWork(
    rows - o.rows,
    inTurn - o.inTurn,
    artificial - o.artificial,
    tests - o.tests,
    decisions - o.decisions,
    compared - o.compared,
    cpuNanos - o.cpuNanos
  )

  /** Nanoseconds of a row at fixed prices.
    *
    * @param lookUp
    *   what a look-up costs
    * @param test
    *   what a test of the classifier costs
    */
  def nanos(lookUp: Long = RouteWork.LookUp, test: Long = RouteWork.Test): Double =
    (inTurn * lookUp).toDouble / rows + overhead(lookUp, test)

  /** Those of them that process no query. */
  def overhead(lookUp: Long = RouteWork.LookUp, test: Long = RouteWork.Test): Double =
    (artificial * lookUp + tests * test + decisions * RouteWork.Decision +
      compared * RouteWork.Compare).toDouble / rows

  /** Share of the time that processes no query. */
  def overheadShare(lookUp: Long = RouteWork.LookUp): Double =
    overhead(lookUp) / (overhead(lookUp) + (inTurn * lookUp).toDouble / rows)
}

private[lab] object RouteWork {

  /** Nanoseconds: a look-up costs what the lab's other joins assume, the rest is assumed here. */
  val LookUp = 100L
  val Test = 5L
  val Decision = 20L
  val Compare = 5L
}

/** A plan of the ten-way join at work on the rows of one stream. */
private[lab] abstract class RouteContender(val name: String) {
  protected var work: RouteWork = RouteWork(0, 0, 0, 0, 0, 0, 0)
  private var from = work

  protected def process(rows: Array[ArrivingRow]): Unit

  final def feed(rows: Array[ArrivingRow]): Unit = {
    val start = Contender.cpuNanos()
    process(rows)
    work = work.copy(rows = work.rows + rows.length, cpuNanos = work.cpuNanos + Contender.cpuNanos() - start)
  }

  /** From here on `since` counts. */
  final def mark(): Unit = from = work

  /** The end of the stage in which samples are gathered: from here on profiles are few. */
  def settle(): Unit = ()

  final def since: RouteWork = work - from

  /** How many orders rows take now. */
  def routes: Int
}

private[lab] object RouteContender {
  private val n = RouteStreams.Operators
  private val free = new Precedence(n)

  /** Those of Table 1 as far as it has them, and limits in steps alone, so that counts are the same in every
    * run.
    */
  val settings: RouteSettings =
    RouteSettings(stop = SearchLimits(steps = 200, nanos = Long.MaxValue), rest = 0)

  /** Query Mesh, and with one lane and another algorithm a single plan. A review runs between two rows, and
    * its time does not count: in Spark it runs beside the task.
    *
    * @param first
    *   the plan to begin with
    * @param adapts
    *   whether routes are learned
    * @param p
    *   drop-profiling probability of all rows
    */
  final class Mesh(
      name: String,
      first: Routes,
      adapts: Boolean,
      p: Double,
      settings: RouteSettings,
      seed: Long
  ) extends RouteContender(name) {
    private val random = new SplittableRandom(seed)
    private val profiling = new DropProfiling(random, p)
    private val fixed = (order: Array[Int], guards: Precedence) =>
      new OrderLoop(new StaticOrder(n, order, guards))
    private val loop = new RouteLoop(
      RouteStreams.attributes,
      first,
      free,
      settings,
      random,
      () => Contender.cpuNanos(),
      if (p > 0.0) RouteLoop.aGreedy else fixed
    )
    private val profiled = new ProfiledRow(n)
    private var last = Option.empty[RouteStatistics]

    def routes: Int = loop.current.plan.lanes.size

    /** The plan as it is now. */
    def plan: Routes = loop.current.plan.routes

    /** Its orders with steps left open, as [[RouteLoop]] has them. */
    def imprecise(similar: Double): IndexedSeq[ImpreciseRoute] = loop.imprecise(similar)

    override def settle(): Unit = profiling.probability = math.min(p, Settled)

    /** Of the latest change of plan. */
    def statistics: Option[RouteStatistics] = last

    protected def process(rows: Array[ArrivingRow]): Unit = {
      var inTurn, artificial, tests = 0L
      for (row <- rows) {
        val seen = loop.current
        val (route, asked) = walk(seen.plan.tree, row)
        tests += asked
        val order = seen.plan.lanes(route).current
        var r = 0
        while (r < n && (row.drops >>> order.plan(r) & 1L) == 0L) r += 1
        inTurn += math.min(r + 1, n)
        if (profiling.sample()) {
          artificial += n - math.min(r + 1, n)
          profiled.values = row
          profiled.route = route
          profiled.tuple.dropPosition = r
          all(profiled.tuple.evaluated, _ => true)
          all(profiled.tuple.dropped, q => (row.drops >>> q & 1L) != 0L)
          java.util.Arrays.fill(profiled.tuple.nanos, RouteWork.LookUp)
          loop.offer(profiled, seen, order)
          if (adapts && loop.isDue) loop.review().foreach(d => last = Some(d.statistics))
        }
      }
      work = work.copy(
        inTurn = work.inTurn + inTurn,
        artificial = work.artificial + artificial,
        tests = work.tests + tests
      )
    }

    private def all(set: FilterSet, members: Int => Boolean): Unit = {
      set.clear()
      (0 until n).filter(members).foreach(set.add)
    }
  }

  /** A row's route, and the tests that it took. */
  def walk(tree: Tree, row: ArrivingRow): (Int, Int) = {
    @scala.annotation.tailrec
    def from(at: Tree, asked: Int): (Int, Int) = at match {
      case Leaf(route)    => (route, asked)
      case branch: Branch => from(if (branch.takes(row)) branch.matching else branch.other, asked + 1)
    }
    from(tree, 0)
  }

  /** An Eddy with content-based routing. */
  final class Routeless(name: String, batch: Int, seed: Long) extends RouteContender(name) {
    private val eddy =
      new Eddy[ArrivingRow](RouteStreams.attributes, n, batch, Explores, new SplittableRandom(seed))

    def routes: Int = 0

    protected def process(rows: Array[ArrivingRow]): Unit = {
      eddy.process(rows.toSeq)((q, row) => (row.drops >>> q & 1L) == 0L)
      work = work.copy(inTurn = eddy.evaluations, decisions = eddy.decisions, compared = eddy.compared)
    }
  }

  /** Of an Eddy's decisions, those that profile. */
  val Explores = 0.05

  val SinglePlan = "single plan"
  val AGreedy = "a-greedy"
  val QueryMesh = "query mesh"
  val Eddy = "eddy"
  val BatchedEddy = "eddy, batched"
  val Oracle = "best order of each part"

  /** All of them for one stream. The single plan has the best order by the stream's averages. */
  def all(streams: RouteStreams, seed: Long): Seq[RouteContender] = {
    val average = streams.selectivity.transpose.map(s => s.sum / s.size)
    val single = Routes.single(average.indices.sortBy(average(_)).toVector)
    Seq(
      new Mesh(SinglePlan, single, adapts = false, 0.0, settings, seed),
      new Mesh(AGreedy, single, adapts = false, Probability, settings, seed),
      mesh(QueryMesh, single, settings, seed),
      new Routeless(Eddy, 1, seed),
      new Routeless(BatchedEddy, Batch, seed),
      new Mesh(Oracle, oracle(streams), adapts = false, 0.0, settings, seed)
    )
  }

  def mesh(name: String, first: Routes, settings: RouteSettings, seed: Long): Mesh =
    new Mesh(name, first, adapts = true, Probability, settings, seed)

  private def oracle(streams: RouteStreams): Routes = {
    val orders = streams.selectivity.map(s => s.indices.sortBy(s(_)).toVector)
    val kinds = (part: Int) => OneOf(0, (0 until 4).map(k => s"p$part-$k").toSet)
    val leaves = orders.indices.map(Leaf(_): Tree)
    Routes.of(
      leaves.init.zipWithIndex.foldRight(leaves.last) { case ((leaf, part), rest) =>
        Branch(kinds(part), nullsMatch = false, leaf, rest)
      },
      orders
    )
  }

  /** Drop-profiling probability, as for A-Greedy elsewhere in the lab. */
  val Probability = 0.01

  /** And later: the paper profiles beforehand only, and Spark keeps profiles at 2% of a filter's time. */
  val Settled = 0.002

  /** Rows of a batch, as the paper has them. */
  val Batch = 100
}
