package org.streamon.lab

import java.util.SplittableRandom
import org.streamon.core.constraints.ConstraintKind
import org.streamon.lab.baselines.constraints._
import ConstraintContender.Track
import Experiment._

/** Memory while tuples are processed, for one kind of constraint and some k, beside the join without
  * constraints: Figures 6.10, 6.12, 6.14 and 6.16.
  *
  * @param figure
  *   which
  * @param millions
  *   tuples of the full run
  * @param ks
  *   of the thesis; they and windows shrink with the scale
  * @param beside
  *   another kind that the data keep, which Spark would learn and the thesis does not use
  */
private[lab] abstract class ConstraintMemory(
    figure: String,
    workload: ConstraintWorkload,
    millions: Double,
    ks: Seq[Int],
    beside: Option[ConstraintKind] = None
) extends Experiment {
  import workload.{graph, kind}

  final val figures: Seq[String] = Seq(figure)
  final def steps(scale: Scale): Int = ks.size

  /** By k: of k-Mon and of the join without. */
  protected def checks(found: Map[Int, (Track, Track)], shown: String, share: Double): Seq[Check]

  /** Points of the curve for some tuples of the full run. */
  protected final def at(tuples: Double): Int =
    math.round(tuples / (millions * 1e6) * ConstraintMemory.Points).toInt - 1

  final def run(scale: Scale, step: String => Unit): Report = {
    val share = ConstraintMemory.share(scale)
    val count = (millions * 1e6 * share).toInt
    val window = (ConstraintMemory.Window * share).toInt
    val found = ks.map { k =>
      step(s"Figure $figure, k = $k")
      val arrivals =
        workload.streams(count, ConstraintStreams.constant(k * share), new SplittableRandom(scale.seeds.head))
      k -> lines.map { case line @ Line(engine, kinds) =>
        val constraints =
          for (e <- graph.edges; own <- kinds)
            yield ConstraintContender.measured(engine, graph, arrivals, own, e.parent, e.child)
        def track(used: Option[Seq[KConstraint]]) =
          ConstraintContender
            .track(new ConstraintContender(engine, graph, window, used), arrivals, ConstraintMemory.Points)
        line -> ((track(Some(constraints)), track(None)))
      }.toMap
    }
    val reports = lines.map(line => report(line, found.map { case (k, f) => k -> f(line) }, share))
    val labels = (1 to ConstraintMemory.Points).map(p => (p * count / ConstraintMemory.Points).toString)
    Report(
      Seq(
        Figure(
          figure,
          s"Memory under ${kind.name}(k)",
          "tuples processed",
          labels,
          reports.flatMap(_._1)
        )
      ),
      reports.flatMap(_._2)
    )
  }

  private case class Line(engine: ConstraintEngine, kinds: Seq[ConstraintKind]) {
    def called(what: String): String = (what +: kinds.tail.map(other => s"with ${other.name}")).mkString(", ")
  }

  private val lines = (Line(ConstraintEngine.InSpark, Seq(kind)) +:
    beside.toSeq.map(other => Line(ConstraintEngine.InSpark, Seq(kind, other)))) :+
    Line(ConstraintEngine.Thesis, Seq(kind))

  /** Curves and checks of one engine. */
  private def report(
      line: Line,
      found: Seq[(Int, (Track, Track))],
      share: Double
  ): (Seq[Series], Seq[Check]) = {
    val curves = found.map { case (k, (t, _)) => Series(s"${kind.name}, k = $k", "bytes", t.bytes) } :+
      Series("without constraints", "bytes", found.head._2._2.bytes)
    val counted = found.map { case (k, (t, _)) => Series(s"${kind.name}, k = $k", "tuples", t.tuples) } :+
      Series("without constraints", "tuples", found.head._2._2.tuples)
    val shown = found
      .map { case (k, (t, _)) => f"k = $k: ${t.level / share / 1e6}%.2f MB" }
      .mkString(", ") + f"; without ${found.head._2._2.level / share / 1e6}%.2f MB"
    val exact = found.map { case (k, (t, s)) => s"k = $k: ${t.results} of ${s.results}" }.mkString(", ")
    val same = Check.holds(
      figure,
      "no result is missing",
      found.forall { case (_, (t, s)) => t.results == s.results && s.results > 0 },
      exact
    )
    line.engine.told(curves ++ counted, same +: checks(found.toMap, shown, share), line.called)
  }

  /** Memory of the latter half grows with k and stays below the join without. */
  protected final def grows(found: Map[Int, (Track, Track)], shown: String): Seq[Check] = {
    val levels = ks.map(found(_)._1.level)
    Seq(
      Check.holds(
        figure,
        "memory grows with k",
        levels.zip(levels.tail).forall { case (a, b) => a < b },
        shown
      ),
      Check.holds(
        figure,
        "memory is below that of the join without constraints, at every k",
        found.values.forall { case (t, s) => t.level < s.level },
        shown
      )
    )
  }
}

private[lab] object ConstraintMemory {
  val Points = 60
  val Window = 50000

  /** Of the thesis's sizes. */
  def share(scale: Scale): Double = scale.arrivals / 50000.0
}

/** Figure 6.10. */
private[lab] object RidsMemory
    extends ConstraintMemory("6.10", ConstraintWorkload.rids, 0.6, Seq(0, 5000, 10000, 20000)) {
  protected def checks(found: Map[Int, (Track, Track)], shown: String, share: Double): Seq[Check] = {
    val plain = found(0)._2
    val derived = Seq(0 -> 1.2, 5000 -> 1.5, 10000 -> 1.8, 20000 -> 2.1)
    def data(track: Track) = track.tuples.last * 24 / 1e6 / share
    grows(found, shown) ++ Seq(
      Check.holds(
        "6.10",
        "without constraints memory levels at 350,000 tuples (below 97% of the last at 300,000, above 98% at 360,000), with 2.4 MB of tuples, to 0.05",
        plain.bytes(at(300000)) < 0.97 * plain.bytes.last && plain.bytes(
          at(360000)
        ) > 0.98 * plain.bytes.last &&
          math.abs(data(plain) - 2.4) < 0.05,
        f"${data(plain)}%.2f MB of tuples"
      ),
      Check.holds(
        "6.10",
        "tuples take at most 1.2, 1.5, 1.8 and 2.1 MB, to 0.05, for k = 0, 5,000, 10,000 and 20,000, as derived",
        derived.forall { case (k, mb) => data(found(k)._1) <= mb + 0.05 },
        derived.map { case (k, _) => f"k = $k: ${data(found(k)._1)}%.2f MB" }.mkString(", ")
      )
    )
  }
}

/** Figure 6.12: the data also keep RIDS(0), which the thesis does not use. */
private[lab] object CaMemory
    extends ConstraintMemory(
      "6.12",
      ConstraintWorkload.ca,
      0.7,
      Seq(0, 5000, 10000, 20000),
      Some(ConstraintKind.RIDS)
    ) {
  private def early(track: Track) = track.bytes.take(at(275000)).max / track.bytes.max

  protected def checks(found: Map[Int, (Track, Track)], shown: String, share: Double): Seq[Check] =
    grows(found, shown) ++ Seq(
      Check.holds(
        "6.12",
        "more than 90% of the peak is reached by 275,000 tuples, long before the windows are full at 550,000",
        found.values.forall { case (t, _) => early(t) > 0.9 },
        found.toSeq
          .sortBy(_._1)
          .map { case (k, (t, _)) =>
            f"k = $k: ${percent(early(t))} of it by 275,000"
          }
          .mkString(", ")
      ),
      Check.holds(
        "6.12",
        "memory is far below that of the join without constraints: less than a tenth at k = 0, less than a half at 20,000",
        found(0)._1.level < 0.1 * found(0)._2.level && found(20000)._1.level < 0.5 * found(20000)._2.level,
        shown
      )
    )
}

/** Figure 6.14, on the same data. */
private[lab] object OapMemory
    extends ConstraintMemory(
      "6.14",
      ConstraintWorkload.oap,
      0.7,
      Seq(0, 5000, 10000, 20000),
      Some(ConstraintKind.RIDS)
    ) {
  protected def checks(found: Map[Int, (Track, Track)], shown: String, share: Double): Seq[Check] = {
    val amplitudes = found.toSeq.sortBy(_._1).map { case (k, (t, _)) => k -> t.amplitude / share }
    grows(found, shown) :+ Check.holds(
      "6.14",
      "it oscillates about a level, by more the greater k",
      amplitudes.zip(amplitudes.tail).forall { case (a, b) => a._2 < b._2 },
      amplitudes.map { case (k, a) => f"k = $k: ${a / 1e3}%.1f KB" }.mkString(", ")
    )
  }
}

/** Figure 6.16. */
private[lab] object OacMemory
    extends ConstraintMemory("6.16", ConstraintWorkload.oac, 0.3, Seq(0, 5000, 10000, 20000)) {
  protected def checks(found: Map[Int, (Track, Track)], shown: String, share: Double): Seq[Check] = {
    // By how much memory falls, as a share, when the first bound is known: after k arrivals of S2.
    def drop(k: Int) = {
      val bytes = found(k)._1.bytes
      val first = at(6.0 * k)
      1 - bytes.slice(first - 1, first + 5).min / bytes.slice(first - 3, first + 2).max
    }
    val drops = Seq(10000, 20000).map(drop)
    val said = f"k = 10,000: ${percent(drops.head)}, k = 20,000: ${percent(drops.last)}"
    grows(found, shown) ++ Seq(
      Check
        .holds(
          "6.16",
          "memory drops sharply, by more than 20%, at 60,000 tuples for k = 10,000",
          drops.head > 0.2,
          said
        ),
      Check.holds(
        "6.16",
        "and less, for k = 20,000, as tuples had left the window of S1 by then",
        drops.last < drops.head && drops.last > 0,
        said
      )
    )
  }

}
