package org.streamon.core.selections

/** A macro-sequence improved by local search. It is not in the paper. The search of [[MacroSequence]] is
  * greedy: constructs that drop many rows only together come late there. Here one construct after the other
  * moves to the place where the sampled rows are asked the fewest constructs.
  */
object ImprovedSequence {

  /** @param asked
    *   constructs that a macro-sequence asks of the sampled rows
    */
  def of(sequence: IndexedSeq[Int], asked: IndexedSeq[Int] => Long): IndexedSeq[Int] =
    sequence
      .foldLeft((sequence, asked(sequence))) { case ((best, least), construct) =>
        val others = best.filter(_ != construct)
        val moved = best.indices.map(others.patch(_, Seq(construct), 0)).filter(_ != best)
        val found = moved.map(m => (m, asked(m))).minByOption(_._2)
        found.filter(_._2 < least).getOrElse((best, least))
      }
      ._1
}
