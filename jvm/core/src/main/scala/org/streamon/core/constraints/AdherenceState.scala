package org.streamon.core.constraints

/** What a checkpoint has of an [[Adherence]].
  *
  * @param declared
  *   none for a k that is learned
  * @param k
  *   in use
  * @param greatest
  *   distance among the arrivals of the current window, which are `arrivals` in `batches` calls
  * @param seen
  *   arrivals since k became infinite; of them `first` in the first call
  * @param hasPairs
  *   whether the window has had a distance
  * @param givenUp
  *   keys given up in the window, and how many are `usual`, -1 when that is not known
  * @param beyond
  *   the greatest distance that was above the k in use
  */
private[constraints] final case class AdherenceState(
    declared: Option[Long],
    k: Long,
    violations: Long,
    greatest: Long,
    arrivals: Long,
    increases: Long,
    seen: Long,
    hasPairs: Boolean,
    givenUp: Long,
    usual: Long,
    batches: Long,
    beyond: Long,
    first: Long
) {

  /** As a checkpoint has them. */
  def numbers: Array[Long] = Array(
    declared.getOrElse(-1L),
    k,
    violations,
    greatest,
    arrivals,
    increases,
    seen,
    if (hasPairs) 1L else 0L,
    givenUp,
    usual,
    batches,
    beyond,
    first
  )
}

private[constraints] object AdherenceState {

  /** Numbers of it. */
  val Length = 13

  /** What gave these numbers, and others behind them. */
  def apply(numbers: Array[Long]): AdherenceState = AdherenceState(
    declared = Option.when(numbers(0) >= 0)(numbers(0)),
    k = numbers(1),
    violations = numbers(2),
    greatest = numbers(3),
    arrivals = numbers(4),
    increases = numbers(5),
    seen = numbers(6),
    hasPairs = numbers(7) == 1L,
    givenUp = numbers(8),
    usual = numbers(9),
    batches = numbers(10),
    beyond = numbers(11),
    first = numbers(12)
  )
}
