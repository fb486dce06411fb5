package org.streamon.lab

import java.util.SplittableRandom
import org.streamon.core.filters.OrderingAlgorithms
import Experiment._

/** How an algorithm takes one change of selectivities: Figures 4.19 to 4.21. Which order stands when is
  * judged by its exact cost under the law of the moment; the curves show what was counted.
  */
private[lab] object Timeline extends Experiment {
  private val bin = 2000
  private val algorithms = Seq("a-greedy", "sweep", "local-swaps", "independent")
  private val shortWindow = "a-greedy with a window of 200"
  private val selectivities = Array(0.2, 0.4, 0.6, 0.8)
  val figures: Seq[String] = Seq("4.19", "4.20", "4.21")
  def steps(scale: Scale): Int = scale.seeds.size

  /** @param counted
    *   filters evaluated in each bin
    * @param exact
    *   expected cost of the order at the end of each bin
    */
  private case class Track(counted: Seq[Double], exact: Seq[Double], change: Int) {
    private val tail = exact.size / 10
    val before: Double = mean(exact.slice(change - tail, change))
    val after: Double = mean(exact.takeRight(tail))

    /** Tuples from the change until the order costs within 5% of where it ends. */
    val settled: Double = exact.drop(change).indexWhere(_ <= 1.05 * after) * bin.toDouble

    /** The largest improvement in one bin after the change, as a share of the worst to the best. */
    val largestStep: Double = {
      val later = exact.drop(change)
      val whole = later.max - later.min
      if (whole <= 0) Double.NaN
      else later.sliding(2).collect { case Seq(a, b) => a - b }.max / whole
    }
  }

  private def track(algorithm: String, seed: Long, scale: Scale, window: Int): Track = {
    val random = new SplittableRandom(seed)
    val first = CorrelatedFilters.grouped(8, 2, selectivities, Array.fill(8)(1)).permuted(random)
    val second = first.permuted(random)
    val contender = Contender(algorithm, Contender.defaultProbability(algorithm), first, seed, window)
    val bins = for (filters <- Seq(first, second)) yield {
      val pool = StreamTuple.pool(filters, scale.pool, random)
      Seq.fill(scale.timeline / bin) {
        contender.mark()
        contender.feed(pool, bin)
        (contender.since.inTurn.toDouble, filters.law.costOf(contender.order))
      }
    }
    Track(bins.flatten.map(_._1), bins.flatten.map(_._2), scale.timeline / bin)
  }

  def run(scale: Scale, step: String => Unit): Report = {
    val tracks = scale.seeds
      .map { seed =>
        step(s"Figures 4.19 to 4.21, seed $seed")
        algorithms.map(a => a -> track(a, seed, scale, OrderingAlgorithms.DefaultWindow)).toMap +
          (shortWindow -> track("a-greedy", seed, scale, 200))
      }
    def of(a: String)(value: Track => Double): Seq[Double] = tracks.map(t => value(t(a)))
    def settled(a: String) = of(a)(_.settled)
    def level(a: String, value: Track => Double) = f"${mean(of(a)(value))}%.3f"
    val stepped = tracks.filter(t => Seq("sweep", "local-swaps").forall(a => !t(a).largestStep.isNaN))

    def sooner(figure: String, rival: String) = Check.positive(
      figure,
      s"A-Greedy settles far sooner than $rival (in less than half the tuples)",
      differences(settled(rival), settled("a-greedy").map(_ * 2)),
      f"${mean(settled("a-greedy"))}%.0f against ${mean(settled(rival))}%.0f tuples after the change; " +
        f"$shortWindow ${mean(settled(shortWindow))}%.0f"
    )

    def figure(number: String, rival: String) = Figure(
      number,
      s"Adaptivity of A-Greedy versus $rival (seed ${scale.seeds.head})",
      "tuples processed",
      tracks.head("a-greedy").counted.indices.map(k => ((k + 1) * bin).toString),
      Seq("a-greedy", rival).map(a => Series(a, "filters evaluated per 2000 tuples", tracks.head(a).counted))
    )

    Report(
      Seq(figure("4.19", "sweep"), figure("4.20", "local-swaps"), figure("4.21", "independent")),
      Seq(
        sooner("4.19", "sweep"),
        sooner("4.20", "local-swaps"),
        Check.positive(
          "4.20",
          "LocalSwaps changes more smoothly than Sweep",
          stepped.map(t => t("sweep").largestStep - t("local-swaps").largestStep),
          s"largest step ${percent(mean(stepped.map(_("local-swaps").largestStep)))} of the way from worst to best against " +
            percent(mean(stepped.map(_("sweep").largestStep)))
        ),
        Check.holds(
          "4.21",
          "Independent adapts as quickly as A-Greedy (within 1.5 times)",
          mean(settled("independent")) <= 1.5 * mean(settled("a-greedy")),
          f"${mean(settled("independent"))}%.0f against ${mean(settled("a-greedy"))}%.0f tuples after the change"
        ),
        Check.positive(
          "4.21",
          "Independent's order is worse than A-Greedy's before the change",
          differences(of("independent")(_.before), of("a-greedy")(_.before)),
          s"${level("independent", _.before)} against ${level("a-greedy", _.before)} filters per tuple"
        ),
        Check.positive(
          "4.21",
          "Independent's order is worse than A-Greedy's after the change",
          differences(of("independent")(_.after), of("a-greedy")(_.after)),
          s"${level("independent", _.after)} against ${level("a-greedy", _.after)} filters per tuple"
        )
      )
    )
  }
}
