package org.streamon.core.constraints

import scala.collection.mutable

/** How many results are missing since dead rows have gone, told from those that the retained share of them is
  * found in (thesis, Section 6.6.3, retains rows for k alone). Which rows are retained goes by a hash of
  * their keys, so a result with m such keys is found in p^m^ of all cases and stands for 1 / p^m^ (Horvitz
  * and Thompson, 1952). Results of one key are found together or not at all: a bound goes by the keys, and of
  * a result with several by the one that stands for most.
  *
  * @param share
  *   p: above 0, to 1
  */
final class MissedResults(share: Double) {

  /** What is found of a key, with that which it stands for. */
  private val byKey = mutable.LongMap.empty[Double]
  private var sofar = MissedSample.None

  /** A result that has retained rows, of these keys, none twice. */
  def found(keys: Seq[Long]): Unit = if (keys.nonEmpty) {
    if (byKey.size >= MissedResults.KeysKept) byKey.clear()
    val weight = math.pow(share, -keys.size.toDouble)
    val before = keys.map(byKey.getOrElse(_, 0.0)).max
    keys.foreach(key => byKey.update(key, byKey.getOrElse(key, 0.0) + weight))
    sofar = MissedSample(
      sofar.estimate + weight - 1,
      sofar.variance + (1 - share) * weight * (2 * before + weight),
      math.max(sofar.greatest, before + weight)
    )
  }

  /** Since the latest call. */
  def take(): MissedSample = {
    val sample = sofar
    sofar = MissedSample.None
    sample
  }

  def bytes: Long = 64L * byKey.size
}

object MissedResults {

  /** Keys with results. When there are more, results of one count as those of several. */
  private val KeysKept = 10000
}

/** What a sample says of the number of missing results. Samples of different keys add up.
  *
  * @param greatest
  *   most that the results found of one key stand for; 0 when none is found
  */
final case class MissedSample(estimate: Double, variance: Double, greatest: Double) {
  def +(other: MissedSample): MissedSample = MissedSample(
    estimate + other.estimate,
    variance + other.variance,
    math.max(greatest, other.greatest)
  )

  /** That there are no more has 19 chances in 20, but for what no sample of this kind tells: results that
    * lack rows of two keys, or more, of which one in 1 / p^2^ is found, and single keys with more than all
    * others together.
    *
    * @param share
    *   p of [[MissedResults]]
    */
  def atMost(share: Double): Double = {
    // Above the upper end of the interval of a Poisson count of keys, from 0 on.
    val unit = math.max(greatest, 1 / share)
    estimate + 1.645 * math.sqrt(variance + (1 - share) * unit * unit) + 1.4 * (1 - share) * unit
  }
}

object MissedSample {
  val None: MissedSample = MissedSample(0, 0, 0)
}
