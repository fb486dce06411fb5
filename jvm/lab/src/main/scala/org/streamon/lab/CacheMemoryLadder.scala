package org.streamon.lab

import org.streamon.core.caching.CacheMode
import Experiment._
import TablePoints.graph

/** Figure 5.23: memory for subresults at point D8. Caches take what there is; an XJoin needs all of its
  * subresults, 32 bytes and a reference of 8 for each row of a tuple here.
  */
private[lab] object CacheMemoryLadder extends Experiment {
  val figures: Seq[String] = Seq("5.23")
  def steps(scale: Scale): Int = memories.size

  private val memories = Seq(1, 2, 4, 8, 16, 24, 32, 64, 128, 1024)
  private val point = TablePoints.all.find(_.name == "D8").get

  /** @param batched
    *   M and G in micro-batches
    */
  private case class Found(m: JoinWork, p: JoinWork, g: JoinWork, batched: Seq[JoinWork])

  private def measure(memory: Long, scale: Scale, seed: Long): Found = {
    val elements = point.elements(scale.arrivals, seed)
    val orders = PlanSpace.pipelines(elements.take(elements.length / 5), seed)
    def work(mode: Option[CacheMode], batch: Int = 0) = {
      val settings = mode.map(PlanSpace.settings(_, elements.length))
      val contender = new JoinContender(graph, orders, settings, seed, memory, batch = batch)
      val (before, measured) = elements.splitAt(elements.length / 2)
      contender.feed(before)
      contender.mark()
      contender.feed(measured)
      contender.since
    }
    val batched = Seq(None, Some(CacheMode.Global)).map(work(_, JoinContender.Batch))
    Found(work(None), work(Some(CacheMode.Prefix)), work(Some(CacheMode.Global)), batched)
  }

  /** Bytes that the subresults of the best tree take at most. */
  private def needed(scale: Scale, seed: Long): Double = {
    val elements = point.elements(scale.arrivals, seed)
    val best = PlanSpace.bestTree(elements.take(elements.length / 5))
    JoinPlans.tree(graph, best, elements)._2 * (32.0 + 3 * 8)
  }

  def run(scale: Scale, step: String => Unit): Report = {
    val found = memories.map { kilobytes =>
      step(s"Figure 5.23, $kilobytes KB")
      scale.seeds.map(measure(kilobytes * 1024L, scale, _))
    }
    val least = mean(scale.seeds.map(needed(scale, _)))
    val labels = memories.map(_.toString)
    def curve(name: String)(unit: String)(value: Found => Double) =
      Series(name, unit, found.map(each => mean(each.map(value))))
    val g = found.map(each => mean(each.map(_.g.price)))
    val whole = g.max - g.min
    val largest = g.sliding(2).collect { case Seq(a, b) => b - a }.max
    val shown = labels.zip(g).map { case (kb, price) => f"$kb KB: $price%.1f ns" }.mkString(", ")
    Report(
      Seq(
        Figure(
          "5.23",
          "Adaptivity to memory availability, at D8",
          "KB for subresults",
          labels,
          CachedPlans.curves[Found](curve("M"), _.m) ++ CachedPlans.curves[Found](curve("P"), _.p) ++
            CachedPlans.curves[Found](curve("G"), _.g) ++
            CachedPlans.batches[Found](curve, "M" -> (_.batched.head), "G" -> (_.batched.last)) :+
            Series("X: needs", "KB", labels.map(_ => least / 1024))
        )
      ),
      Seq(
        Check.positive(
          "5.23",
          "caches with plenty of memory work less than the MJoin",
          found.last.map(f => 1 - f.g.price / f.m.price),
          shown
        ),
        Check.positive(
          "5.23",
          "so they do in micro-batches",
          found.last.map(f => 1 - f.batched.last.price / f.batched.head.price),
          f"${mean(found.last.map(_.batched.head.price))}%.1f and ${mean(found.last.map(_.batched.last.price))}%.1f ns"
        ),
        Check.holds(
          "5.23",
          "more memory never makes it worse by more than a tenth of all that memory brings, and M is flat",
          largest <= 0.1 * whole && found.flatMap(_.map(_.m.price)).grouped(scale.seeds.size).toSet.size == 1,
          shown
        ),
        Check.holds(
          "5.23",
          "with the least memory caches are at most 5% worse than the MJoin",
          mean(found.head.map(f => f.g.price / f.m.price)) <= 1.05,
          f"${percent(mean(found.head.map(f => f.g.price / f.m.price)) - 1)} more at ${labels.head} KB; an XJoin " +
            f"cannot run below ${least / 1024}%.1f KB"
        )
      )
    )
  }
}
