package org.streamon.core.selections

import org.streamon.core.loop.Profiler

/** The Profiler of sequences: keeps the regions of the latest sampled rows. They are true under every
  * sequence. Rows come from some threads and are asked for by another.
  *
  * @param attributes
  *   how many there are
  * @param most
  *   rows to keep
  */
final class RegionLog(attributes: Int, most: Int) extends Profiler[Array[Int]] {
  private val kept = Array.ofDim[Int](most, attributes)
  private var offered, marked = 0L

  /** @param regions
    *   of a row, by attribute; copied
    */
  def offer(regions: Array[Int]): Unit = synchronized {
    System.arraycopy(regions, 0, kept((offered % most).toInt), 0, attributes)
    offered += 1
  }

  /** How many rows have come. */
  def position: Long = synchronized(offered)

  /** From a position on rows are new. */
  def mark(from: Long): Unit = synchronized { marked = from }

  /** How many rows have come since the mark and are kept. */
  def size: Int = synchronized(math.min(offered - marked, most.toLong).toInt)

  /** The rows that have come since the mark, the latest where they are too many to keep. */
  def rows: IndexedSeq[Array[Int]] = synchronized {
    val from = math.max(marked, offered - most)
    (from until offered).map(row => kept((row % most).toInt).clone())
  }
}
