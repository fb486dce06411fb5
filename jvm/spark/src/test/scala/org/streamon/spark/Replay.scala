package org.streamon.spark

/** What generated tests begin with when `-Dstreamon.seed=N` replays one of them. */
object Replay {
  def seed: Option[Long] = sys.props.get("streamon.seed").map(_.toLong)
}
