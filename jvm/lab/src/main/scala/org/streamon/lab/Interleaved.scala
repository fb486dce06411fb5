package org.streamon.lab

/** Processor time of plans on the same input, a piece at a time in turns, so that what else the machine does
  * falls on all alike.
  *
  * @param nanos
  *   for each tuple that was timed
  * @param results
  *   of the whole input, the same in each round
  */
private[lab] final case class Interleaved(nanos: Spread, results: Long)

private[lab] object Interleaved {
  private val Piece = 5000

  /** By plan; tuples are timed from `stable` on. */
  def apply(
      plans: Seq[() => ConstraintContender],
      arrivals: Array[Arriving],
      stable: Int,
      rounds: Int = 3
  ): Seq[Interleaved] = {
    val found = (0 until rounds).map { _ =>
      val contenders = plans.map(_())
      val (before, measured) = arrivals.splitAt(stable)
      before.grouped(Piece).foreach(piece => contenders.foreach(_.feed(piece)))
      val start = contenders.map(_.cpuNanos)
      measured.grouped(Piece).foreach(piece => contenders.foreach(_.feed(piece)))
      contenders.zip(start).map { case (l, s) => ((l.cpuNanos - s).toDouble / measured.length, l.results) }
    }
    found.transpose.map(rounds => Interleaved(Spread(rounds.map(_._1)), rounds.head._2))
  }
}
