package org.streamon.lab

import org.streamon.core.joins.JoinTree
import Experiment._
import TablePoints.{Point, graph}

/** MJoins against XJoins at the eight points of Table 5.2. Caches are left out: see [[PlanSpace]]. */
private[lab] object FourWay extends Experiment {
  val figures: Seq[String] = Seq("5.21")
  def steps(scale: Scale): Int = points.size

  private val points = TablePoints.all

  /** @param best
    *   and `worst`: the fixed orders, of each input, that are best and worst in hindsight
    * @param subresults
    *   the most tuples that the tree held
    */
  private case class Found(
      adaptive: Double,
      overhead: Double,
      best: Double,
      worst: Double,
      tree: Double,
      subresults: Double
  )

  private def measure(point: Point, scale: Scale, seed: Long): Found = {
    val elements = point.elements(scale.arrivals, seed)
    val adaptive = new JoinPlans.Adaptive(graph, 0.01, seed)
    adaptive.feed(elements)
    val fixed = (0 until JoinPlans.orders(graph)).map(JoinPlans.fixed(graph, _, Seq(elements)).head)
    def ofEach(choose: Seq[Long] => Long) = fixed.transpose.map(choose).sum.toDouble / elements.length
    val trial = elements.take(elements.length / 5)
    val chosen = JoinTree.all(graph).minBy(JoinPlans.tree(graph, _, trial)._1)
    val (tree, subresults) = JoinPlans.tree(graph, chosen, elements)
    Found(adaptive.work, adaptive.overhead, ofEach(_.min), ofEach(_.max), tree, subresults.toDouble)
  }

  def run(scale: Scale, step: String => Unit): Report = {
    val found = points.map { point =>
      step(s"Figure 5.21, ${point.name}")
      scale.seeds.map(measure(point, scale, _))
    }
    val labels = points.map(_.name)
    def curve(name: String, unit: String, value: Found => Double) =
      Series(name, unit, found.map(each => mean(each.map(value))))
    def compare(value: Found => Double) = labels.zip(found.map(_.map(value)))
    val excess = compare(f => f.adaptive / f.best - 1).map { case (point, more) => point -> mean(more) }
    val perElement = "look-ups and subresult changes per element"
    Report(
      Seq(
        Figure(
          "5.21",
          "MJoin and XJoin at the points of Table 5.2",
          "point",
          labels,
          Seq(
            curve("a-greedy", perElement, _.adaptive),
            curve("a-greedy: for the profile", perElement, _.overhead),
            curve("best fixed orders", perElement, _.best),
            curve("worst fixed orders", perElement, _.worst),
            curve("best xjoin", perElement, _.tree),
            curve("best xjoin: subresults held", "tuples", _.subresults)
          )
        )
      ),
      Seq(
        everywhere(
          "5.21",
          "the best XJoin works less than the MJoin with A-Greedy's orders",
          compare(f => 1 - f.tree / f.adaptive)
        ),
        Check.holds(
          "5.21",
          "A-Greedy's orders, profiling included, work at most 10% more than the best fixed ones",
          excess.forall(_._2 <= 0.1),
          excess.map { case (point, more) => s"$point: ${percent(more)} more" }.mkString(", ")
        )
      )
    )
  }
}
