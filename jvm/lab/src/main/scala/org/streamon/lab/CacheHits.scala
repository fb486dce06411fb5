package org.streamon.lab

import Experiment._
import ThreeWay._

/** Figures 5.11 and 5.12: how often T repeats a value decides how often its look-ups hit. */
private[lab] object CacheHits
    extends ForcedCache(Seq("5.11", "5.12"), "Varying cache hit probability", "multiplicity of T.B") {

  protected def settings: Seq[Setting] = Seq(1, 2, 3, 5, 10, 20).map { r =>
    Setting(r.toString, (i, v) => Seq.fill(if (i == T) r else 1)(row(i, v)), Seq(1.0, 1.0, r.toDouble))
  }

  protected def checks(found: ForcedCache.Found): Seq[Check] = {
    def gain(of: Seq[(String, Seq[Double])]) = differences(of.last._2, of.head._2)
    def shown(of: Seq[(String, Seq[Double])]) =
      of.map { case (r, gains) => s"$r: ${percent(mean(gains))}" }.mkString(", ")
    Seq(
      Check.positive(
        "5.12",
        "the gain grows with the hit probability",
        gain(found.price),
        shown(found.price)
      ),
      Check
        .positive(
          "5.12",
          "the same in processor time",
          gain(found.time),
          shown(found.time)
        )
        .inTime,
      everywhere(
        "5.12",
        "there is a gain even at multiplicity 1, as every row comes again when it expires",
        found.price.take(1)
      ),
      everywhere(
        "5.12",
        "so there is in processor time",
        found.time.take(1)
      ).inTime
    )
  }
}
