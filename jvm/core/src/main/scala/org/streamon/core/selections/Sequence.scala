package org.streamon.core.selections

/** The order in which the constructs of attributes are asked: a hybrid sequence (Section 4.3), and without
  * arrows a macro-sequence. Immutable.
  *
  * @param macroSequence
  *   each attribute once
  * @param arrows
  *   micro-arrows: by attribute and block of regions that have one set, the attribute to ask next
  */
final case class Sequence(
    macroSequence: IndexedSeq[Int],
    arrows: Map[(Int, Int), Int] = Map.empty
) {
  require(
    macroSequence.sorted == macroSequence.indices,
    s"the sequence ${macroSequence.mkString(", ")}: expected each of 0 to ${macroSequence.size - 1} once"
  )
  for (((from, block), to) <- arrows)
    require(
      macroSequence.indices.contains(from) && macroSequence.indices.contains(to) && from != to,
      s"an arrow from block $block of attribute $from to attribute $to"
    )
}
