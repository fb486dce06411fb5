package org.streamon.lab

import java.util.SplittableRandom
import org.streamon.core.filters.{
  AGreedy,
  FilterSet,
  MatrixView,
  Precedence,
  ProfileTuple,
  ProfileWindow,
  OrderingAlgorithm,
  StaticOrder
}
import Experiment._

/** Where A-Greedy's time goes under stable conditions: Table 4.2. Each component is timed on its own, over
  * the profile tuples of a converged run, since a clock inside the run would cost more than what it measures.
  */
private[lab] object Breakdown extends Experiment {
  val figures: Seq[String] = Seq("T4.2")

  /** (n, p) and the printed percentages: tuple processing, profile-tuple creation, window, view update,
    * violations.
    */
  private val printed = Seq(
    (3, 0.01) -> Seq(98.77, 0.88, 0.20, 0.15, 0.0),
    (3, 0.05) -> Seq(94.17, 4.17, 0.93, 0.73, 0.0),
    (8, 0.01) -> Seq(96.62, 2.92, 0.20, 0.22, 0.04),
    (8, 0.05) -> Seq(84.77, 13.34, 0.91, 0.98, 0.0)
  )
  private val components =
    Seq("tuple processing", "profile-tuple creation", "profile window", "view update", "violations")
  private val recorded = 20000
  private val repeats = 9
  private val Rounds = 3

  def steps(scale: Scale): Int = printed.size

  /** Profiles as A-Greedy does, and keeps the profile tuples. */
  private final class Recorder(n: Int, start: Array[Int])
      extends OrderingAlgorithm(n, start, new Precedence(n)) {
    val tuples = new scala.collection.mutable.ArrayBuffer[ProfileTuple](recorded)
    def name: String = "recorder"
    def nextPosition(dropPosition: Int, after: Int, dropped: FilterSet): Int = after + 1
    def offer(tuple: ProfileTuple): Unit =
      if (tuples.size < recorded) {
        val copy = new ProfileTuple(n)
        copy.dropPosition = tuple.dropPosition
        copy.evaluated.set(tuple.evaluated)
        copy.dropped.set(tuple.dropped)
        tuple.nanos.copyToArray(copy.nanos)
        tuples += copy
      }
    def reoptimize(): Boolean = false
    def meanNanos(q: Int): Double = Double.NaN
    def dropRate(q: Int): Double = Double.NaN
    protected def repaired(): Unit = ()
  }

  /** Median processor time of one repetition, per tuple, after two that warm up. */
  private def nanosPerTuple(tuples: Int)(once: => Unit): Double = {
    val times = Seq.fill(repeats) {
      val start = Contender.cpuNanos()
      once
      (Contender.cpuNanos() - start).toDouble / tuples
    }
    times.drop(2).sorted.apply((repeats - 2) / 2)
  }

  /** Percentages of the five components, by time, for n filters at a probability. */
  private def timed(n: Int, p: Double, scale: Scale): Seq[Spread] =
    Seq.fill(Rounds)(timedOnce(n, p, scale)).transpose.map(Spread(_))

  private def timedOnce(n: Int, p: Double, scale: Scale): Seq[Double] = {
    val filters = CorrelatedFilters.uniform(n, gamma = 2, selectivity = 0.5)
    val free = new Precedence(n)
    val order = filters.law.greedy(free)
    val pool = StreamTuple.pool(filters, scale.pool, new SplittableRandom(1))
    val plain = new Contender("static", new StaticOrder(n, order, free), 0.0, filters.cost, 1)
    val recorder = new Recorder(n, order)
    val profiling = new Contender("recorder", recorder, 1.0, filters.cost, 1)

    val processing = nanosPerTuple(scale.pool)(plain.feed(pool, scale.pool))
    val creation = nanosPerTuple(scale.pool)(profiling.feed(pool, scale.pool)) - processing
    val tuples = recorder.tuples.toArray
    val positions = order.indices.map(order.indexOf(_)).toArray
    val dropShare = pool.count(_.drops != 0L).toDouble / pool.length

    val window = nanosPerTuple(tuples.length) {
      val profiles = new ProfileWindow(n, 1000)
      tuples.foreach(profiles.push)
    }
    val view = nanosPerTuple(tuples.length) {
      val matrix = new MatrixView(n)
      tuples.indices.foreach { k =>
        if (k >= 1000) matrix.touch(tuples(k - 1000).dropped, positions, -1)
        matrix.touch(tuples(k).dropped, positions, 1)
      }
    }
    val whole = nanosPerTuple(tuples.length) {
      val algorithm = new AGreedy(n, order, precedence = free)
      tuples.foreach(algorithm.observe)
    }
    val violations = math.max(0.0, whole - window - view)
    val perTuple = Seq(processing, p * creation) ++ Seq(window, view, violations).map(_ * p * dropShare)
    perTuple.map(_ * 100 / perTuple.sum)
  }

  def run(scale: Scale, step: String => Unit): Report = {
    val columns = printed.map { case ((n, p), values) =>
      val label = s"n=$n p=$p"
      step(s"Table 4.2, $label")
      val filters = CorrelatedFilters.uniform(n, gamma = 2, selectivity = 0.5)
      val counted = 100 * mean(converged(_ => filters, "a-greedy", p, scale).map(_.overheadShare))
      (label, values, counted, timed(n, p, scale))
    }
    val labels = columns.map(_._1)
    val creation = columns.map { case (label, values, counted, time) =>
      Check.holds(
        "T4.2",
        s"profile-tuple creation takes ${values(1)}% ($label), within a quarter, as a share of probes",
        math.abs(counted - values(1)) <= values(1) / 4,
        f"$counted%.2f%% of probes; ${time(1)} %% of time"
      )
    }
    val processing = columns.map { case (label, values, _, time) =>
      Check
        .holds(
          "T4.2",
          s"tuple processing takes ${values.head}% ($label), within 5 points, by time",
          math.abs(time.head.median - values.head) <= 5,
          s"${time.head} %"
        )
        .inTime
    }
    val useful = columns.map { case (_, _, _, time) => time(0) + time(1) }
    Report(
      Seq(
        Figure(
          "T4.2",
          "Run-time percentage breakdown for A-Greedy",
          "number of filters and drop-profiling probability",
          labels,
          components.indices.flatMap(k =>
            Seq(
              Series(components(k), "% of time", columns.map(_._4(k).median)),
              Series(s"${components(k)}, as printed", "% of time", columns.map(_._2(k)))
            )
          ) :+ Series("profile-tuple creation", "% of probes", columns.map(_._3))
        )
      ),
      creation ++ processing ++ Seq(
        Check
          .holds(
            "T4.2",
            "more than 98% goes to tuple processing and profile-tuple creation, by time",
            useful.forall(_.median > 98),
            labels.zip(useful).map { case (l, u) => s"$l: $u %" }.mkString(", ")
          )
          .inTime,
        Check.holds(
          "T4.2",
          "profile-tuple creation grows with n and with p, as a share of probes",
          columns(1)._3 > columns(0)._3 && columns(3)._3 > columns(2)._3 && columns(2)._3 > columns(0)._3 &&
            columns(3)._3 > columns(1)._3,
          columns.map(c => f"${c._1}: ${c._3}%.2f%%").mkString(", ")
        )
      )
    )
  }
}
