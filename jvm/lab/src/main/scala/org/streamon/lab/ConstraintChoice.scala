package org.streamon.lab

import java.util.SplittableRandom
import org.streamon.core.constraints._
import ConstraintStreams._
import Experiment._

/** Figure 6.18: CA(5,000) on S1.A with RIDS(k) beside, which can be worse than CA alone; and what choosing
  * makes of it.
  */
private[lab] object ConstraintChoice extends Experiment {
  val figures: Seq[String] = Seq("6.18")
  def steps(scale: Scale): Int = ks.size

  private val tuples = 600000
  private val ks = Seq(0, 500, 1000, 2000, 3000, 5000, 8000)

  def run(scale: Scale, step: String => Unit): Report = {
    val share = ConstraintMemory.share(scale)
    val window = (ConstraintMemory.Window * share).toInt
    val found = ks.map { k =>
      step(s"Figure 6.18, k = $k")
      val random = new SplittableRandom(scale.seeds.head)
      val arrivals = clusteredAndLate((tuples * share).toInt, 5000 * share, k * share, random)
      ConstraintEngine.both.map { engine =>
        def measured(kind: ConstraintKind) =
          ConstraintContender.measured(engine, graphC, arrivals, kind, 0, 1)
        val (ca, rids) = (measured(ConstraintKind.CA), measured(ConstraintKind.RIDS))
        val plans = Seq(
          ("CA", Some(Seq(ca)), engine),
          ("RIDS", Some(Seq(rids)), engine),
          ("both", Some(Seq(ca, rids)), engine)
        ) ++ engine.bySavings.map(("both, No by savings", Some(Seq(ca, rids)), _)) :+
          (("without constraints", None, engine))
        engine -> plans.map { case (name, used, by) =>
          name -> ConstraintContender.track(new ConstraintContender(by, graphC, window, used), arrivals, 60)
        }
      }.toMap
    }
    val reports = ConstraintEngine.both.map(engine => report(engine, found.map(_(engine)), share))
    val figure =
      Figure("6.18", "CA on S1.A with RIDS(k)", "k", ks.map(_.toString), reports.flatMap(_._1))
    Report(Seq(figure), reports.flatMap(_._2))
  }

  /** Curves and checks of one engine.
    *
    * @param found
    *   by k
    */
  private def report(
      engine: ConstraintEngine,
      found: Seq[Seq[(String, ConstraintContender.Track)]],
      share: Double
  ): (Seq[Series], Seq[Check]) = {
    def of(name: String, value: ConstraintContender.Track => Double) =
      found.map(f => value(f.find(_._1 == name).get._2))
    val names = found.head.map(_._1)
    def bytes(name: String) = of(name, _.level / share)
    def shown(name: String) = ks.zip(bytes(name)).map { case (k, b) => f"$k: ${b / 1e3}%.0f" }.mkString(", ")
    val more = ks.zip(bytes("both").zip(bytes("CA"))).collect { case (k, (both, ca)) if both > ca => k }
    val best = found.map(_.filter(f => Set("CA", "RIDS", "both")(f._1)).map(_._2.level / share).min)
    val curves = names.map(n => Series(n, "bytes", bytes(n))) ++
      names.map(n => Series(n, "tuples", of(n, _.levelTuples / share)))
    val checks = Seq(
      Check.holds(
        "6.18",
        "no result is missing",
        found.forall(_.map(_._2.results).distinct.size == 1),
        found.map(_.head._2.results).mkString(", ")
      ),
      Check.holds(
        "6.18",
        "both together take more than CA alone once k is above about 2,000 (from 2,000 or 3,000 on)",
        more.nonEmpty && more == ks.filter(_ >= more.min) && more.min >= 2000 && more.min <= 3000,
        s"KB for CA: ${shown("CA")}; for both: ${shown("both")}; more from k = ${more.headOption.getOrElse("never")}"
      )
    ) ++ engine.bySavings.map { _ =>
      val ratios = bytes("both, No by savings").zip(best).map { case (a, b) => a / b }
      Check.holds(
        "6.18",
        "keeping No only where that saves takes at most 10% more than the best of CA, RIDS and both, at every k",
        ratios.forall(_ <= 1.1),
        ks.zip(ratios).map { case (k, r) => s"$k: ${percent(r)}" }.mkString(", ")
      )
    }
    engine.told(curves, checks)
  }
}
