package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.streamon.core.constraints.{JoinRows, KeyRows}

/** The synopses of one partition in executor memory: the rows of the state store, indexed by their keys and,
  * if they expire, by their times. In each dimension the inputs share one table of groups, so one look-up
  * finds the matches in all inputs with the key. From a row in the mirror no look-up is needed. A mirror is
  * not thread-safe. Only one task uses it at a time.
  *
  * @param expiring
  *   by input, whether its rows ever go
  * @param dimensions
  *   by input, those in which it has a key
  * @param numbers
  *   by dimension, those of its keys
  * @param partners
  *   by input, another without which its rows go early, if any
  */
final class Mirror(
    val expiring: Array[Boolean],
    val dimensions: Array[Array[Int]],
    val numbers: Array[KeyNumber],
    val partners: IndexedSeq[Option[Partner]]
) extends JoinRows {
  private val n = expiring.length
  private val groups = Array.fill(numbers.length)(new GroupTable)
  private val synopses = Array.tabulate(n)(newSynopsis)
  private val queues = Array.tabulate(n)(newQueue)

  /** By input, the rows of which it has not been asked yet whether they have a partner; null without one. */
  private val unasked = Array.tabulate(n)(newUnasked)
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

  /** What windows of rows need beside; none where no input has one. */
  var windows: Option[WindowedState] = None

  /** The caches of subresults over these rows. */
  var caches: Option[MirrorCaches] = None

  /** Tells the caches, in one micro-batch, of rows that leave. */
  var departing: DepartureListener = DepartureListener.Nobody

  /** Follows rows and keys. Stays when the mirror waits for the next micro-batch. */
  var listener: MirrorListener = MirrorListener.Nobody

  private var undo: MirrorUndo = _

  /** A micro-batch begins.
    *
    * @param canGoBack
    *   whether it changes no more than rows
    */
  def begin(canGoBack: Boolean): Unit = undo = if (canGoBack) new MirrorUndo(this) else null

  /** Whether the rows are those of the state with this stamp, now that what the last micro-batch did has been
    * taken back where that is the way there.
    */
  def goesBackTo(stamp: Long): Boolean =
    stamp == this.stamp || undo != null && undo.stamp == stamp && goesBack()

  /** Takes back what the last micro-batch did, or the one at hand; false where that cannot be. */
  def goesBack(): Boolean = undo != null && {
    val isBack = undo()
    if (isBack) listener = listener.anew
    isBack
  }

  /** By input, rows that have left. */
  val departures: Array[Long] = new Array[Long](n)

  /** Drops the caches and gives back their memory. */
  def closeCaches(): Unit = {
    caches.foreach(_.close())
    caches = None
    departing = DepartureListener.Nobody
  }

  /** Whether it is made for a join. */
  def fits(shape: JoinShape): Boolean =
    expiring.sameElements(shape.bounds.expiring) &&
      windows.map(_.windowed) == shape.order.map(_.windowed) &&
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

  override def hasInMemory(input: Int): Boolean = !spilled(input)

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
    listener.keyAdded(dimension, group.code)
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
    if (expiring(input) && time != Synopsis.Never) {
      queues(input).add(slot)
      if (unasked(input) != null) unasked(input).add(slot)
    }
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

  /** Takes out one row of the input whose time is up to `bound`, so that its partner brings no more for it,
    * and for whose key the partner has no row; like `expire`. A row is asked about once: the partner's may go
    * before it does.
    */
  def expireUnmet(input: Int, bound: Long): Int = {
    val queue = unasked(input)
    var found = -1
    while (found < 0 && queue != null && !queue.isEmpty && synopses(input).time(queue.head) <= bound) {
      val slot = queue.remove()
      val partner = partners(input).get
      if (
        !spilled(partner.input) && synopses(input).group(partner.dimension, slot).heads(partner.input) < 0
      ) {
        remove(input, slot)
        found = slot
      }
    }
    found
  }

  /** Takes out the row of a slot, of which time and sequence are still to be read. */
  def remove(input: Int, slot: Int): Unit = {
    val synopsis = synopses(input)
    if (queues(input) != null) queues(input).remove(slot)
    if (unasked(input) != null) unasked(input).remove(slot)
    if (undo != null) undo.rowLeaves(synopsis.sequence(slot))
    listener.rowLeaves(input, slot, synopsis.bytesOf(slot))
    synopsis.unlink(slot)
    departing.hasLeft(input, slot)
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
    windows.foreach(_.spill(input))
    synopses(input) = newSynopsis(input)
    queues(input) = newQueue(input)
    unasked(input) = newUnasked(input)
  }

  /** Rows of each input. */
  def rows: Array[Long] = Array.tabulate(n)(i => if (spilled(i)) spilledRows(i) else synopses(i).size)

  /** Rows that wait for the watermark, as [[WindowedState]] counts them; none without windows of rows. */
  def waiting: Array[Long] = windows.fold(Array.empty[Long])(_.waiting)

  /** About. */
  def memoryBytes: Long =
    groupBytes + (0 until n).map(memoryOf).sum + listener.bytes

  private def memoryOf(input: Int): Long =
    synopses(input).memoryBytes + windows.fold(0L)(_.memoryBytes(input)) +
      (if (unasked(input) == null || synopses(input).size == 0L) 0L else unasked(input).memoryBytes)

  private def newSynopsis(input: Int) = new Synopsis(input, dimensions(input))

  private def newQueue(input: Int) = if (expiring(input)) new ExpiryQueue(synopses(input)) else null

  private def newUnasked(input: Int) = if (partners(input).isDefined) newQueue(input) else null

  private def dropEmpty(dimension: Int, group: KeyGroup): Unit = if (group.isEmpty) {
    groups(dimension).remove(group)
    listener.keyRemoved(dimension, group.code)
    groupBytes -= bytesOf(group)
  }

  private def bytesOf(group: KeyGroup): Long = Mirror.GroupOverhead + group.key.getSizeInBytes + 4L * n
}

object Mirror {

  /** What the virtual machine adds to a group: objects, headers, places in the table. */
  private val GroupOverhead = 136L
}
