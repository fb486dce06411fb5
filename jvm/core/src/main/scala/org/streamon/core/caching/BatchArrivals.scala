package org.streamon.core.caching

/** What the batch at hand brings by input, foreseen while it comes, input by input: of an input that is over
  * what came; of the others what came or what they brought in the batch before, whichever is more. Where
  * elements come in another sequence nothing is foreseen.
  *
  * @param n
  *   inputs
  */
private[core] final class BatchArrivals(n: Int) {
  private val came, before = new Array[Long](n)
  private var current = 0
  private var isFirst, inSequence = true
  private var hasBegun = false

  def arrived(input: Int): Unit = {
    inSequence &&= input >= current
    current = input
    hasBegun = true
    came(input) += 1
  }

  /** Elements of the batch so far. */
  def apply(input: Int): Long = came(input)

  /** Elements that are thought to be still to come; 0 between two batches. */
  def missing(input: Int): Long =
    if (canForesee && input >= current) math.max(before(input) - came(input), 0L) else 0L

  /** Elements of the batch as it is foreseen; of the last one between two batches. */
  def foreseen(input: Int): Long = if (hasBegun) came(input) + missing(input) else before(input)

  /** Whether this is a batch of which more is known than what has come. */
  def canForesee: Boolean = inSequence && !isFirst && hasBegun

  /** The end of the batch. One without elements says nothing of others. */
  def end(): Unit = if (hasBegun) {
    System.arraycopy(came, 0, before, 0, n)
    java.util.Arrays.fill(came, 0L)
    isFirst = false
    hasBegun = false
    current = 0
  }
}
