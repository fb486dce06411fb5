package org.streamon.core.filters

/** The drop bit sets of the latest profile tuples: pushing into a full ring overwrites the oldest. Slots 0
  * until `size` are taken, in no particular order.
  */
private[filters] final class DropRing(val capacity: Int) {
  require(capacity >= 1, s"window = $capacity: must hold at least one profile tuple")

  private val bits = new Array[Long](capacity)
  private var count = 0L

  /** Tuples pushed so far; also the sequence number of the next one. */
  def pushed: Long = count

  def size: Int = math.min(count, capacity.toLong).toInt

  def isFull: Boolean = count >= capacity

  /** Where the next tuple goes; of a full ring also the slot of the oldest. */
  def cursor: Int = (count % capacity).toInt

  /** Drop bits of the tuple in a slot. */
  def apply(slot: Int): Long = bits(slot)

  /** Sequence number of the tuple in a slot. */
  def sequence(slot: Int): Long = {
    val back = cursor - slot
    count - (if (back > 0) back else back + capacity)
  }

  def push(dropped: Long): Unit = {
    bits(cursor) = dropped
    count += 1
  }

  /** Of the tuples from sequence number `since` on that no filter in `prefix` drops, the share that q drops.
    * NaN when there are none. One scan.
    */
  def dropRate(prefix: Long, q: Int, since: Long = 0L): Double = {
    var reached = 0
    var dropped = 0
    var slot = 0
    while (slot < size) {
      if ((bits(slot) & prefix) == 0L && sequence(slot) >= since) {
        reached += 1
        if ((bits(slot) >>> q & 1L) != 0L) dropped += 1
      }
      slot += 1
    }
    if (reached == 0) Double.NaN else dropped.toDouble / reached
  }
}
