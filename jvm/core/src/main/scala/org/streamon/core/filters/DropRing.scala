package org.streamon.core.filters

/** Which filters drop the latest profile tuples: pushing into a full ring overwrites the oldest. Slots 0
  * until `size` are taken, in no particular order.
  */
private[filters] final class DropRing(n: Int, val capacity: Int) {
  require(capacity >= 1, s"window = $capacity: must hold at least one profile tuple")

  private val drops = new FilterSets(n, capacity)
  private val expiring = new FilterSet(n)
  private val members = new Array[Int](n)
  private var count = 0L

  /** Tuples pushed so far; also the sequence number of the next one. */
  def pushed: Long = count

  def size: Int = math.min(count, capacity.toLong).toInt

  def isFull: Boolean = count >= capacity

  /** Where the next tuple goes; of a full ring also the slot of the oldest. */
  def cursor: Int = (count % capacity).toInt

  /** The filters that drop the tuple that the next push expires; only of a full ring. One object for all. */
  def oldest: FilterSet = {
    drops.get(cursor, expiring)
    expiring
  }

  /** The filters that drop each tuple: sets of their own. */
  def contents: Seq[FilterSet] = (0 until size).map { slot =>
    val dropped = new FilterSet(n)
    drops.get(slot, dropped)
    dropped
  }

  /** Sequence number of the tuple in a slot. */
  def sequence(slot: Int): Long = {
    val back = cursor - slot
    count - (if (back > 0) back else back + capacity)
  }

  def push(dropped: FilterSet): Unit = {
    drops.put(cursor, dropped)
    count += 1
  }

  /** Of the tuples from sequence number `since` on that no filter in `prefix` drops, the share that q drops.
    * NaN when there are none. One scan.
    */
  def dropRate(prefix: FilterSet, q: Int, since: Long = 0L): Double = {
    var reached = 0
    var dropped = 0
    var slot = 0
    while (slot < size) {
      if (!drops.intersects(slot, prefix) && sequence(slot) >= since) {
        reached += 1
        if (drops.contains(slot, q)) dropped += 1
      }
      slot += 1
    }
    if (reached == 0) Double.NaN else dropped.toDouble / reached
  }

  /** Of the tuples that no filter in `prefix` drops, how many each filter drops. One scan. */
  def count(prefix: FilterSet, counts: Array[Int]): Unit = {
    java.util.Arrays.fill(counts, 0)
    var slot = 0
    while (slot < size) {
      if (!drops.intersects(slot, prefix)) {
        val count = drops.list(slot, members)
        var k = 0
        while (k < count) {
          counts(members(k)) += 1
          k += 1
        }
      }
      slot += 1
    }
  }
}
