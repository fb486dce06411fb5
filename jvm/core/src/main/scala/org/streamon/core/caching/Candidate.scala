package org.streamon.core.caching

import org.streamon.core.joins.Bits

/** A place for a cache: before operator `from` of an input's pipeline, for the subresult of operators `from`
  * to `to` (thesis, Section 5.4: C_ijk). Positions count from 0.
  *
  * @param windows
  *   those of its operators, in sequence: the subresult X
  * @param before
  *   the windows joined before them, as bits
  * @param classes
  *   the key: the classes that X shares with what is joined before it, as bits
  * @param maintaining
  *   the windows, as bits, in whose pipelines it is maintained: they contain X and satisfy the prefix
  *   invariant
  */
private[core] final case class Candidate(
    pipeline: Int,
    from: Int,
    to: Int,
    windows: Vector[Int],
    before: Long,
    classes: Long,
    maintaining: Long
) {

  /** X, as bits. */
  val subresult: Long = Bits.of(windows)

  /** Y, as bits: the cache then has X semijoin Y, and is globally consistent. Empty for a cache under the
    * prefix invariant.
    */
  val semijoin: Long = maintaining & ~subresult

  def isGlobal: Boolean = semijoin != 0L

  /** Whether the window of its own pipeline is in Y: that pipeline goes past its maintenance. */
  def supportsItself: Boolean = Bits.contains(maintaining, pipeline)

  /** How many windows are joined when it is maintained, in each pipeline that does. */
  val maintainedAt: Int = Bits.size(maintaining) - 1

  /** The pipelines in which it is maintained. */
  def maintainers: IndexedSeq[Int] = Bits.members(maintaining & ~(1L << pipeline))

  /** Caches with the same content can be one. Where its own pipeline's window is a partner, an entry is right
    * only as long as that window has its key, so that no other pipeline can make it.
    */
  val content: Candidate.Content =
    Candidate.Content(subresult, classes, semijoin, Option.when(supportsItself)(pipeline))

  def overlaps(other: Candidate): Boolean =
    pipeline == other.pipeline && from <= other.to && other.from <= to

  /** Whether the other's operators are part of this one's. */
  def contains(other: Candidate): Boolean =
    pipeline == other.pipeline && from <= other.from && other.to <= to && this != other

  /** Whether a hit keeps the other from being maintained as it must: it is maintained past operators that are
    * skipped, or behind them from tuples that only have a partner in Y (digest of Section 5.7, rule 3).
    */
  private def starves(other: Candidate): Boolean =
    other.maintainers.contains(pipeline) && {
      val inside = from < other.maintainedAt && other.maintainedAt <= to
      val behind = other.maintainedAt > to && !Bits.includes(other.maintaining, semijoin)
      inside || behind
    }

  /** Whether the two cannot be used together. */
  def excludes(other: Candidate): Boolean = overlaps(other) || starves(other) || other.starves(this)

  override def toString: String = {
    val partners = if (isGlobal) Bits.members(semijoin).mkString(" semijoin {", ",", "}") else ""
    windows.mkString("{", ",", "}") + partners + s" in the pipeline of input $pipeline"
  }
}

private[core] object Candidate {
  final case class Content(subresult: Long, classes: Long, semijoin: Long, only: Option[Int])
}
