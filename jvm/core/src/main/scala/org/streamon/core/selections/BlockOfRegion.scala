package org.streamon.core.selections

/** By region, its block. It is a byte where these suffice, so that more of them stay near the processor.
  * Immutable.
  *
  * @param blocks
  *   by region
  */
private[selections] final class BlockOfRegion(blocks: Array[Int]) {
  private val areBytes = blocks.forall(_ < BlockOfRegion.MostOfBytes)
  private val narrow = if (areBytes) blocks.map(_.toByte) else Array.emptyByteArray
  private val wide = if (areBytes) Array.emptyIntArray else blocks

  def apply(region: Int): Int = if (areBytes) narrow(region) & 0xff else wide(region)

  /** What they take in memory. */
  def bytes: Long = narrow.length + 4L * wide.length
}

private[selections] object BlockOfRegion {
  private val MostOfBytes = 1 << 8

  /** What so many regions in so many blocks take. */
  def bytes(regions: Int, blocks: Int): Long = if (blocks <= MostOfBytes) regions.toLong else 4L * regions
}
