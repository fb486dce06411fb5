package org.streamon.lab

import java.util.SplittableRandom
import org.streamon.core.constraints._
import org.streamon.lab.baselines.constraints._
import ConstraintStreams._
import Experiment._

/** How k is followed while it changes, and what that loses: Figures 6.11, 6.13 and 6.15. The thesis does not
  * give the k; here they are between 1,000 and 4,000, and the gradual changes take a third of the run.
  *
  * @param settings
  *   of the thesis, but for the window, which shrinks with the scale
  */
private[lab] abstract class ConstraintAdaptivity(
    figure: String,
    workload: ConstraintWorkload,
    settings: MonitorSettings
) extends Experiment {
  import workload.{graph, kind}
  import ConstraintAdaptivity._

  final val figures: Seq[String] = Seq(figure)
  final def steps(scale: Scale): Int = courses.size

  /** @param used
    *   k at the end of each block, infinite where it is not known
    * @param missing
    *   share of the results of each block
    */
  private case class Followed(name: String, actual: Seq[Double], used: Seq[Double], missing: Seq[Double]) {
    private val known = used.zip(actual).filterNot(_._1.isInfinite)

    /** Median of how far off it is, as a share. */
    val off: Double = known.map { case (u, a) => math.abs(u / a - 1) }.sorted.apply(known.size / 2)
    val isKnown: Double = known.size.toDouble / used.size
  }

  private def follow(engine: ConstraintEngine, name: String, course: Course, scale: Scale): Followed = {
    val share = ConstraintMemory.share(scale)
    val block = (Block * share).toInt
    val arrivals =
      workload.streams(Blocks * block, at => course(at) * share, new SplittableRandom(scale.seeds.head))
    val reaching = reachingShare(engine, arrivals)
    val window = (ConstraintMemory.Window * share).toInt
    val own = settings.copy(window = math.max((settings.window * share).toInt, 1))
    val learned = graph.edges.map(e => KConstraint(kind, e.parent, e.child, None))
    val kMon = new ConstraintContender(engine, graph, window, Some(learned), own)
    val plain = new ConstraintContender(engine, graph, window, None)
    val found = arrivals
      .grouped(block)
      .zipWithIndex
      .map { case (some, at) =>
        val before = (kMon.results, plain.results)
        kMon.feed(some)
        plain.feed(some)
        val (got, due) = (kMon.results - before._1, plain.results - before._2)
        val k = kMon.k(learned.head)
        val used = if (k == Infinite) Double.PositiveInfinity else k / share
        (course((at + 0.5) / Blocks) * reaching, used, if (due == 0) 0.0 else 1 - got.toDouble / due)
      }
      .toVector
    Followed(name, found.map(_._1), found.map(_._2), found.map(_._3))
  }

  /** Of the stream that k is counted in, the share of the tuples that reach the join. */
  private def reachingShare(engine: ConstraintEngine, arrivals: Array[Arriving]): Double = {
    val counted = if (kind == ConstraintKind.RIDS) graph.edges.head.child else graph.edges.head.parent
    engine.reaching(arrivals).count(_.input == counted).toDouble / arrivals.count(_.input == counted)
  }

  final def run(scale: Scale, step: String => Unit): Report = {
    val all = courses.map { case (name, course) =>
      step(s"Figure $figure, $name")
      ConstraintEngine.both.map(engine => engine -> follow(engine, name, course, scale)).toMap
    }
    val x = (1 to Blocks).map(b => (b * Block).toString)
    val reports = ConstraintEngine.both.map(engine => report(engine, all.map(_(engine))))
    Report(
      Seq(
        Figure(
          figure,
          s"${kind.name}: k in the data, k in use, and results missing",
          "tuples processed",
          x,
          reports.flatMap(_._1)
        )
      ),
      reports.flatMap(_._2)
    )
  }

  /** Curves and checks of one engine. */
  private def report(engine: ConstraintEngine, all: Seq[Followed]): (Seq[Series], Seq[Check]) = {
    def only(f: Followed => String) = all.map(a => s"${a.name}: ${f(a)}").mkString(", ")
    val missing = only(a => percent(a.missing.max))
    engine.told(
      all.flatMap(a =>
        Seq(
          Series(s"${a.name}: in the data", "k", a.actual),
          Series(s"${a.name}: in use", "k", a.used),
          Series(s"${a.name}: missing", "share of results", a.missing)
        )
      ),
      Seq(
        Check.holds(
          figure,
          "the estimate follows k closely: known for most of the time, and then within a quarter in the median",
          all.forall(a => a.isKnown > 0.5 && a.off < 0.25),
          only(a => f"${percent(a.off)} off, known ${percent(a.isKnown)} of the time")
        ),
        Check.holds(
          figure,
          "at most 2.3% of a block's results are missing",
          all.forall(_.missing.max <= 0.023),
          missing
        ),
        Check.holds(
          figure,
          "and none to speak of, below 0.1% in all, but while k rises",
          all.filterNot(_.name.endsWith("up")).forall(a => mean(a.missing) < 0.001),
          only(a => percent(mean(a.missing)))
        )
      )
    )
  }
}

private[lab] object ConstraintAdaptivity {

  /** Tuples of a block, and blocks. */
  private val Block = 4000
  private val Blocks = 75
  private val (low, high) = (1000.0, 4000.0)

  private def gradual(from: Double, to: Double): Course = at =>
    from + (to - from) * math.min(math.max(3 * at - 1, 0.0), 1.0)

  private val courses: Seq[(String, Course)] = Seq(
    "flat" -> constant(2000),
    "gradual up" -> gradual(low, high),
    "gradual down" -> gradual(high, low),
    "sudden up" -> (at => if (at < 0.5) low else high),
    "sudden down" -> (at => if (at < 0.5) high else low)
  )
}

/** Figure 6.11. */
private[lab] object RidsAdaptivity
    extends ConstraintAdaptivity(
      "6.11",
      ConstraintWorkload.rids,
      MonitorSettings(growth = 1, slack = 0, window = 500)
    )

/** Figure 6.13. */
private[lab] object CaAdaptivity
    extends ConstraintAdaptivity(
      "6.13",
      ConstraintWorkload.ca,
      MonitorSettings(growth = 1.2, slack = 0, window = 1000)
    )

/** Figure 6.15. */
private[lab] object OapAdaptivity
    extends ConstraintAdaptivity(
      "6.15",
      ConstraintWorkload.oap,
      MonitorSettings(growth = 1.2, slack = 0, window = 1000)
    )
