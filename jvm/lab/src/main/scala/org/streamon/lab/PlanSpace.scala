package org.streamon.lab

import org.streamon.lab.baselines.XJoin
import org.streamon.core.caching.{CacheMode, CacheSettings}
import org.streamon.core.joins.JoinTree
import Experiment._
import TablePoints.{Point, graph}

/** Figure 5.21: at the points of Table 5.2 the MJoin with A-Greedy's pipelines (M), the best tree of two-way
  * joins (X), and A-Caching on the same pipelines with caches under the prefix invariant (P), and with
  * globally-consistent ones besides (G, m = 6). Memory is not limited.
  *
  * A-Greedy and the choice of the tree see a fifth of the input beforehand; the first half of it is for
  * A-Caching to choose, and the second is measured: the thesis too leaves out what the choice costs.
  */
private[lab] object PlanSpace extends Experiment {
  val figures: Seq[String] = Seq("5.21")
  def steps(scale: Scale): Int = TablePoints.all.size

  private case class Found(m: JoinWork, x: JoinWork, p: JoinWork, g: JoinWork, caches: Double)

  /** Pipelines by A-Greedy, at the end of these elements. */
  def pipelines(elements: Array[WindowElement], seed: Long): Map[Int, Array[Int]] = {
    val adaptive = new JoinPlans.Adaptive(graph, 0.05, seed)
    adaptive.feed(elements)
    adaptive.pipelines
  }

  /** What a tree does for the second of two parts of the input. */
  private def tree(tree: JoinTree, before: Array[WindowElement], measured: Array[WindowElement]): JoinWork = {
    val join = new XJoin(graph, tree)
    def feed(elements: Array[WindowElement]) = {
      val start = Contender.cpuNanos()
      elements.foreach(_.feed(join)(_ => ()))
      val cpu = Contender.cpuNanos() - start
      JoinWork(elements.length, join.probes, join.rowsRead, join.maintenance, 0, 0, cpu)
    }
    val first = feed(before)
    feed(measured) - first.copy(elements = 0, cpuNanos = 0)
  }

  /** The tree that works least. */
  def bestTree(elements: Array[WindowElement]): JoinTree =
    JoinTree.all(graph).minBy(tree(_, Array.empty, elements).price)

  /** A-Caching that chooses in the first half of so many elements, from estimates over 200 rows of each
    * input, and then only drops what does not pay.
    */
  def settings(mode: CacheMode, elements: Int): CacheSettings =
    JoinContender.settings.copy(mode = mode, interval = elements, window = 200)

  private def measure(point: Point, scale: Scale, seed: Long): Found = {
    val elements = point.elements(scale.arrivals, seed)
    val trial = elements.take(elements.length / 5)
    val orders = pipelines(trial, seed)
    val (before, measured) = elements.splitAt(elements.length / 2)
    val contenders = Seq(None, Some(CacheMode.Prefix), Some(CacheMode.Global)).map { mode =>
      new JoinContender(graph, orders, mode.map(settings(_, elements.length)), seed)
    }
    val work = contenders.map { contender =>
      contender.feed(before)
      contender.mark()
      contender.feed(measured)
      contender.since
    }
    val caches = contenders.last.reports.map(_.places.size).sum
    Found(work(0), tree(bestTree(trial), before, measured), work(1), work(2), caches.toDouble)
  }

  def run(scale: Scale, step: String => Unit): Report = {
    val labels = TablePoints.all.map(_.name)
    val found = TablePoints.all.map { point =>
      step(s"Figure 5.21, ${point.name}")
      scale.seeds.map(measure(point, scale, _))
    }
    def curve(name: String)(unit: String)(value: Found => Double) =
      Series(name, unit, found.map(each => mean(each.map(value))))
    val series = CachedPlans.curves[Found](curve("M"), _.m) ++ CachedPlans.curves[Found](curve("X"), _.x) ++
      CachedPlans.curves[Found](curve("P"), _.p) ++ CachedPlans.curves[Found](curve("G"), _.g) :+
      curve("G: caches in use")("places")(_.caches)
    Report(
      Seq(Figure("5.21", "Performance of join plans", "point", labels, series)),
      checks(labels.zip(found))
    )
  }

  private def checks(found: Seq[(String, Seq[Found])]): Seq[Check] = {
    def ahead(claim: String, a: Found => JoinWork, b: Found => JoinWork, at: String*) = {
      val points = found.filter(f => at.isEmpty || at.contains(f._1))
      everywhere(
        "5.21",
        claim,
        points.map { case (d, f) => d -> f.map(x => 1 - a(x).price / b(x).price) }
      )
    }
    val behind = found.map { case (d, f) => d -> mean(f.map(x => x.g.price / x.x.price - 1)) }
    Seq(
      ahead("P works less than M", _.p, _.m),
      ahead("G works less than M", _.g, _.m),
      ahead("X works less than M", _.x, _.m),
      ahead("X works less than P at D1 to D3", _.x, _.p, "D1", "D2", "D3"),
      Check.holds(
        "5.21",
        "G nearly always works as little as X: within 10%, but for one point",
        behind.count(_._2 > 0.1) <= 1,
        behind.map { case (d, more) => s"$d: ${percent(more)} more" }.mkString(", ")
      ),
      ahead("G works less than X at D2, D3, D4 and D7", _.g, _.x, "D2", "D3", "D4", "D7")
    )
  }
}
