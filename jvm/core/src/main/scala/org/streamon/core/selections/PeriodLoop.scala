package org.streamon.core.selections

/** How the paper's loop learns sequences.
  *
  * @param period
  *   rows after which it is looked whether the sequence still suits: lambda
  * @param threshold
  *   relative change of the dropping ratio from which on a new sequence is sought: mu; with 0 there is one
  *   after each period
  * @param monitoring
  *   rows of a monitoring period: tau, which the paper does not give
  * @param hybrid
  *   whether regions have micro-arrows
  */
final case class PeriodSettings(
    period: Int = 10000,
    threshold: Double = 0.0,
    monitoring: Int = 500,
    hybrid: Boolean = true
) {
  require(period >= 1, s"period = $period: allowed is 1 row or more")
  require(threshold >= 0.0, s"threshold = $threshold: allowed is 0 or more")
  require(monitoring >= 1, s"monitoring = $monitoring: allowed is 1 row or more")
}

/** The adaptive loop as the paper has it (Section 5.2), which sees every row: [[PeriodSearch]], and the
  * dropping ratio as the trigger. What a search finds is adopted, be it better or not. [[SelectionLoop]] is
  * that of Spark. Not thread-safe.
  *
  * @param rules
  *   number of rules
  * @param first
  *   the sequence until the first search is done, which begins with the first row
  */
final class PeriodLoop(
    rules: Int,
    constructs: IndexedSeq[Construct[_]],
    first: Sequence,
    settings: PeriodSettings = PeriodSettings()
) {
  private var sequence = first
  private var search = begin()
  private var ratio = 0.0
  private var rows, dropped, done, shadow = 0L

  def current: Sequence = sequence

  /** Searches that are done. */
  def searches: Long = done

  /** The shadow cost: constructs that rows were asked beside their own sequence. */
  def asked: Long = shadow + search.fold(0L)(_.asked)

  /** Takes in a row. It may change the sequence.
    *
    * @param isDropped
    *   whether no rule holds of it that asks any attribute
    */
  def observe(row: Regions, isDropped: Boolean): Unit = {
    rows += 1
    if (isDropped) dropped += 1
    search match {
      case Some(running) =>
        running.observe(row)
        if (running.isDone) adopt(running)
      case None => if (rows == settings.period) review()
    }
  }

  private def begin(): Option[PeriodSearch] =
    Some(new PeriodSearch(rules, constructs, settings.monitoring, settings.hybrid)).filterNot(_.isDone)

  private def adopt(running: PeriodSearch): Unit = {
    sequence = running.found
    ratio = dropped.toDouble / rows
    done += 1
    shadow += running.asked
    search = None
    startPeriod()
  }

  private def review(): Unit = {
    if (Trigger.moved(ratio, dropped.toDouble / rows, settings.threshold)) search = begin()
    startPeriod()
  }

  private def startPeriod(): Unit = {
    rows = 0
    dropped = 0
  }
}
