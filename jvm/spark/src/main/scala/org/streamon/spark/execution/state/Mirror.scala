package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.streamon.core.constraints.{JoinRows, KeyRows}

/** The synopses of one partition in executor memory: the rows that the state store has, by their keys and,
  * where they expire, by their time. In each dimension the inputs share one table of groups, so that one
  * look-up finds the matches in every input that has the key; from a row that is held, none is needed. Not
  * thread-safe: a task has it to itself.
  *
  * @param expiring
  *   by input, whether its rows ever go
  * @param dimensions
  *   by input, those in which it has a key
  * @param numbers
  *   by dimension, those of its keys
  */
final class Mirror(
    val expiring: Array[Boolean],
    val dimensions: Array[Array[Int]],
    val numbers: Array[KeyNumber]
) extends JoinRows {
  private val n = expiring.length
  private val groups = Array.fill(numbers.length)(new GroupTable)
  private val synopses = Array.tabulate(n)(newSynopsis)
  private val queues = Array.tabulate(n)(newQueue)
  private var groupBytes = 0L
  private var groupsMade = 0L

  /** By input, whether its rows are read from the state store and not kept here; and how many there are then.
    */
  val spilled: Array[Boolean] = new Array[Boolean](n)
  val spilledRows: Array[Long] = new Array[Long](n)

  /** The number that the next row gets. */
  var sequence: Long = 0L

  /** The stamp of the content: that of the state store when both hold the same. */
  var stamp: Long = StateHeader.Fresh

  /** Whether the state store has been changed beside the rows that come and go. */
  var altered: Boolean = false

  /** What windows of rows need beside; null where no input has one. */
  var windows: WindowedState = _

  /** The caches of subresults over these rows; null when there are none. */
  var caches: MirrorCaches = _

  /** Told of each row that leaves, when it is out of its groups; null when nobody minds. */
  var leaving: Mirror.Leaving = _

  /** Told of groups that come and go, and of each row that leaves; null when nobody minds. Stays when the
    * mirror waits for the next micro-batch.
    */
  var minding: Mirror.Minding = _

  /** By input, rows that have left. */
  val departures: Array[Long] = new Array[Long](n)

  /** Drops the caches and gives back their memory. */
  def closeCaches(): Unit = if (caches != null) {
    caches.close()
    caches = null
  }

  /** Whether it is made for a join. */
  def fits(shape: JoinShape): Boolean =
    expiring.sameElements(shape.bounds.expiring) &&
      Option(windows).map(_.windowed) == shape.order.map(_.windowed) &&
      dimensions.map(_.toSeq).sameElements(shape.dimensionsOf.map(_.toSeq)) &&
      numbers.sameElements(shape.numbers)

  def synopsis(input: Int): Synopsis = synopses(input)

  /** What all inputs hold of a key; null when none of them holds anything. */
  def find(dimension: Int, key: UnsafeRow): KeyGroup = find(dimension, key, code(dimension, key))

  /** The same where the number of the key is known. */
  def find(dimension: Int, key: UnsafeRow, code: Long): KeyGroup = groups(dimension).find(key, code)

  /** The same by the number of a key; of keys with the same number one is found. */
  override def find(dimension: Int, code: Long): KeyGroup = groups(dimension).find(code)

  /** How many keys a dimension has, of all inputs in memory. */
  def keys(dimension: Int): Int = groups(dimension).size

  override def foreachKey(dimension: Int)(each: KeyRows => Unit): Unit = groups(dimension).foreach(each)

  override def holds(input: Int): Boolean = !spilled(input)

  override def isUsed(input: Int, slot: Int): Boolean = synopses(input).isUsed(slot)

  override def rowsOf(input: Int, dimension: Int, slot: Int): KeyGroup =
    synopses(input).group(dimension, slot)

  override def next(input: Int, dimension: Int, slot: Int): Int = synopses(input).next(dimension, slot)

  /** The number of a key. */
  def code(dimension: Int, key: UnsafeRow): Long = numbers(dimension)(key)

  /** The group of a key that has none yet.
    *
    * @param key
    *   copied
    * @param code
    *   its number
    */
  def create(dimension: Int, key: UnsafeRow, code: Long): KeyGroup = {
    val group = new KeyGroup(key.copy(), n, code, groupsMade)
    groupsMade += 1
    groups(dimension).add(group)
    if (minding != null) minding.made(dimension, group.code)
    groupBytes += bytesOf(group)
    group
  }

  /** The group of a key, made if there is none. */
  def groupOf(dimension: Int, key: UnsafeRow): KeyGroup = {
    val number = code(dimension, key)
    val known = find(dimension, key, number)
    if (known == null) create(dimension, key, number) else known
  }

  /** Adds a row; its slot.
    *
    * @param own
    *   by dimension, the group of the row's key; not looked at where its input has none
    */
  def append(own: Array[KeyGroup], input: Int, row: Array[Byte], time: Long, sequence: Long): Int = {
    val slot = synopses(input).add(own, row, time, sequence)
    if (expiring(input) && time != Synopsis.Never) queues(input).add(slot)
    slot
  }

  /** Takes out one row of the input that goes at `bound` or before; the slot it had, of which time and
    * sequence are still to be read, or -1 when there is no more.
    */
  def expire(input: Int, bound: Long): Int = {
    val queue = queues(input)
    val synopsis = synopses(input)
    if (queue == null || queue.isEmpty || synopsis.time(queue.head) > bound) -1
    else {
      val slot = queue.head
      remove(input, slot)
      slot
    }
  }

  /** Takes out the row of a slot, of which time and sequence are still to be read. */
  def remove(input: Int, slot: Int): Unit = {
    val synopsis = synopses(input)
    if (queues(input) != null) queues(input).remove(slot)
    if (minding != null) minding.left(input, slot, synopsis.bytesOf(slot))
    synopsis.unlink(slot)
    if (leaving != null) leaving.left(input, slot)
    val own = dimensions(input)
    var k = 0
    while (k < own.length) {
      dropEmpty(own(k), synopsis.group(own(k), slot))
      k += 1
    }
    synopsis.release(slot)
    departures(input) += 1
  }

  /** The input that takes the most memory, of those that take any. */
  def largest: Option[Int] = (0 until n).filter(memoryOf(_) > 0).maxByOption(memoryOf)

  /** Lets an input be read from the state store from now on.
    *
    * @param each
    *   sees the slots of the rows that go
    */
  def spill(input: Int)(each: Int => Unit): Unit = {
    closeCaches()
    synopses(input).foreach(each)
    for (d <- dimensions(input)) groups(d).foreach { group =>
      group.heads(input) = -1
      dropEmpty(d, group)
    }
    spilled(input) = true
    spilledRows(input) = synopses(input).size
    if (windows != null) windows.spill(input)
    synopses(input) = newSynopsis(input)
    queues(input) = newQueue(input)
  }

  /** Rows of each input. */
  def rows: Array[Long] = Array.tabulate(n)(i => if (spilled(i)) spilledRows(i) else synopses(i).size)

  /** Rows that wait for the watermark, as [[WindowedState]] counts them; none without windows of rows. */
  def waiting: Array[Long] = if (windows == null) Array.empty else windows.waiting

  /** About. */
  def memoryBytes: Long =
    groupBytes + (0 until n).map(memoryOf).sum + (if (minding == null) 0L else minding.bytes)

  private def memoryOf(input: Int): Long =
    synopses(input).memoryBytes + (if (windows == null) 0L else windows.memoryBytes(input))

  private def newSynopsis(input: Int) = new Synopsis(input, dimensions(input))

  private def newQueue(input: Int) = if (expiring(input)) new ExpiryQueue(synopses(input)) else null

  private def dropEmpty(dimension: Int, group: KeyGroup): Unit = if (group.isEmpty) {
    groups(dimension).remove(group)
    if (minding != null) minding.gone(dimension, group.code)
    groupBytes -= bytesOf(group)
  }

  private def bytesOf(group: KeyGroup): Long = Mirror.GroupOverhead + group.key.getSizeInBytes + 4L * n
}

object Mirror {

  /** Minds rows that leave. */
  trait Leaving {
    def left(input: Int, slot: Int): Unit
  }

  /** Minds the rows and the groups of a mirror for as long as it lives. */
  trait Minding {

    /** A group, by the number of its key. */
    def made(dimension: Int, code: Long): Unit
    def gone(dimension: Int, code: Long): Unit

    /** A row that is about to leave, and what it takes. */
    def left(input: Int, slot: Int, bytes: Long): Unit

    /** What it keeps in memory. */
    def bytes: Long
  }

  /** What the virtual machine adds to a group: objects, headers, places in the table. */
  private val GroupOverhead = 136L
}
