package org.streamon.lab

/** Processor time of plans on the same input, a piece at a time in turns, so that what else the machine does
  * falls on all alike.
  */
private[lab] object Interleaved {
  private val Piece = 5000

  /** Nanoseconds for each tuple from `stable` on, by plan. */
  def nanos(
      plans: Seq[() => ConstraintLane],
      arrivals: Array[Arriving],
      stable: Int,
      rounds: Int = 3
  ): Seq[Spread] = {
    val found = (0 until rounds).map { _ =>
      val lanes = plans.map(_())
      val (before, measured) = arrivals.splitAt(stable)
      before.grouped(Piece).foreach(piece => lanes.foreach(_.feed(piece)))
      val start = lanes.map(_.cpuNanos)
      measured.grouped(Piece).foreach(piece => lanes.foreach(_.feed(piece)))
      lanes.zip(start).map { case (l, s) => (l.cpuNanos - s).toDouble / measured.length }
    }
    plans.indices.map(p => Spread(found.map(_(p))))
  }
}
