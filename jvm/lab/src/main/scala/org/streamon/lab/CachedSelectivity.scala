package org.streamon.lab

import org.streamon.core.joins.Row
import Experiment._
import ThreeWay._

/** Figures 5.13 and 5.14: how many tuples of R join S a row of T meets. Below one, R brings a value that S
  * does not have for some; above, it brings several rows for each.
  */
private[lab] object CachedSelectivity
    extends ForcedCache(Seq("5.13", "5.14"), "Varying join selectivity", "R join S tuples for a row of T") {

  private val multiplicity = 5

  protected def settings: Seq[Setting] = Seq(0.0, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0).map { matches =>
    val copies = math.max(matches.toInt, 1)
    def rows(input: Int, v: Int): Seq[Row] = input match {
      case R if matches < 1 && v % 4 >= 4 * matches => Seq(row(R, -1 - v))
      case R                                        => Seq.fill(copies)(row(R, v))
      case S                                        => Seq(row(S, v))
      case _                                        => Seq.fill(multiplicity)(row(T, v))
    }
    Setting(matches.toString, rows, Seq(copies.toDouble, 1.0, multiplicity.toDouble))
  }

  protected def checks(found: ForcedCache.Found): Seq[Check] = {
    def least(of: Seq[(String, Seq[Double])]) = of.minBy(x => mean(x._2))._1
    Seq(
      everywhere("5.14", "there is a gain at every selectivity", found.price),
      everywhere("5.14", "so there is in processor time", found.time).inTime,
      Check.holds(
        "5.14",
        "the gain is least near selectivity 1",
        Set("0.5", "1.0", "2.0")(least(found.price)),
        s"least at ${least(found.price)}, in processor time at ${least(found.time)}"
      )
    )
  }
}
