package org.streamon.core.selections

/** How sequences are learned (Section 5.2). The paper uses several `period`s and `threshold`s, and prefers
  * none.
  *
  * @param period
  *   rows after which it is looked whether the sequence still suits: lambda
  * @param threshold
  *   relative change of what the trigger watches from which on a new sequence is sought: mu; with 0 there is
  *   one after each period
  * @param sample
  *   sampled rows to learn from
  * @param hybrid
  *   whether regions have micro-arrows
  * @param arrowGain
  *   the share of the constructs that arrows must spare, of those that the best sequence without arrows asks.
  *   A row that follows arrows takes more time for each construct. The paper does not count that
  * @param improves
  *   whether macro-sequences are improved by a local search ([[ImprovedSequence]])
  * @param trigger
  *   what is watched
  */
final case class SequenceSettings(
    period: Int = 10000,
    threshold: Double = 0.05,
    sample: Int = 1000,
    hybrid: Boolean = true,
    arrowGain: Double = 0.0,
    improves: Boolean = false,
    trigger: Trigger = Trigger.Asked
) {
  require(period >= 1, s"period = $period: allowed is 1 row or more")
  require(threshold >= 0.0, s"threshold = $threshold: allowed is 0 or more")
  require(0.0 <= arrowGain && arrowGain < 1.0, s"arrowGain = $arrowGain: allowed is from 0 to below 1")
  require(sample >= 1, s"sample = $sample: allowed is 1 row or more")
}

/** What tells that a sequence no longer suits. */
sealed abstract class Trigger(val name: String) {

  /** @param asked
    *   constructs
    */
  private[selections] def watched(rows: Long, dropped: Long, asked: Long): Double
}

object Trigger {

  /** Whether what is watched has changed by a share that asks for a search: Equation 5, which is not defined
    * where it was 0.
    */
  private[selections] def moved(before: Double, now: Double, threshold: Double): Boolean =
    if (threshold == 0.0) true
    else if (before == 0.0) now > 0.0 && threshold < Double.PositiveInfinity
    else math.abs(now - before) / before >= threshold

  /** The share of the rows in which no rule holds (Equation 5). It is the same for every sequence. So it does
    * not see that other attributes than before tell which rows these are.
    */
  case object DroppingRatio extends Trigger("dropping-ratio") {
    private[selections] def watched(rows: Long, dropped: Long, asked: Long): Double = dropped.toDouble / rows
  }

  /** Constructs asked for each row. It is not in the paper, and sees that too. */
  case object Asked extends Trigger("asked") {
    private[selections] def watched(rows: Long, dropped: Long, asked: Long): Double = asked.toDouble / rows
  }
}
