package org.streamon.lab

import org.streamon.core.joins.Row
import Experiment._
import ThreeWay._

/** Figures 5.19 and 5.20: there is no index on S.B, so that T's rows walk over the window of S. */
private[lab] object CachedNestedLoop
    extends ForcedCache(
      Seq("5.19", "5.20"),
      "Varying join cost, without an index on S.B",
      "rows in the window of S"
    ) {

  private val multiplicity = 5
  private val classOfB = 1L << 1

  private def rows(input: Int, v: Int): Seq[Row] =
    Seq.fill(if (input == T) multiplicity else 1)(row(input, v))

  protected def settings: Seq[Setting] = Seq(25, 50, 100, 200, 400, 800).map { window =>
    Setting(window.toString, rows, Seq(1.0, 1.0, multiplicity.toDouble), window, (1L << S, classOfB))
  }

  protected def checks(found: ForcedCache.Found): Seq[Check] = {
    val best = mean(found.price.last._2)
    val inTime = mean(found.time.last._2)
    def times(gain: Double) = f"${1 / (1 - gain)}%.1f times"
    val shown =
      s"at ${found.price.last._1} rows relative ${percent(1 - best)} (${times(best)}), in processor " +
        s"time ${percent(1 - inTime)} (${times(inTime)})"
    def grows(claim: String, gains: Seq[(String, Seq[Double])]) = Check.positive(
      "5.20",
      claim,
      differences(gains.last._2, gains.head._2),
      gains.map { case (w, each) => s"$w: ${percent(mean(each))}" }.mkString(", ")
    )
    Seq(
      everywhere("5.20", "there is a gain for every window", found.price),
      grows("the gain grows with the window of S", found.price),
      grows("so it does in processor time", found.time).inTime,
      Check.holds("5.20", "up to 90%, read as 1.9 times the MJoin's rate", best >= 1 - 1 / 1.9, shown),
      Check.holds("5.20", "up to 90%, read as a tenth of the MJoin's work", best >= 0.9, shown)
    )
  }
}
