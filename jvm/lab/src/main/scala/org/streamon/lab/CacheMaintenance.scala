package org.streamon.lab

import org.streamon.core.joins.Row
import Experiment._
import ThreeWay._

/** Figures 5.15 and 5.16: how many tuples come by to maintain the cache for each look-up. For each value that
  * T brings five times, R and S bring it and some more that T lacks.
  */
private[lab] object CacheMaintenance
    extends ForcedCache(Seq("5.15", "5.16"), "Varying update to probe ratio", "updates for each probe") {

  private val multiplicity = 5

  protected def settings: Seq[Setting] = Seq(1, 2, 5, 10, 20).map { k =>
    def rows(input: Int, v: Int): Seq[Row] =
      if (input == T) Seq.fill(multiplicity)(row(T, v * k)) else (v * k until (v + 1) * k).map(row(input, _))
    // A pair of rows is joined once when it comes and once when it goes; so is a row of T looked up.
    Setting(
      f"${k.toDouble / multiplicity}%.1f",
      rows,
      Seq(k.toDouble, k.toDouble, multiplicity.toDouble),
      ForcedCache.Values / 2
    )
  }

  protected def checks(found: ForcedCache.Found): Seq[Check] = {
    def shown(of: Seq[(String, Seq[Double])]) =
      of.map { case (ratio, gains) => s"$ratio: ${percent(mean(gains))}" }.mkString(", ")
    Seq(
      Check.positive(
        "5.16",
        "the gain declines as there are more updates for each probe",
        differences(found.price.head._2, found.price.last._2),
        shown(found.price)
      ),
      everywhere("5.16", "it stays positive, for more updates than probes too", found.price),
      everywhere("5.16", "so it does in processor time", found.time).inTime
    )
  }
}
