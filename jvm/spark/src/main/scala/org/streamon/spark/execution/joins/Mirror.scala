package org.streamon.spark.execution.joins

import java.util.HashMap

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** The synopses of one partition in executor memory: the rows that the state store has, by their key and,
  * where they expire, by their time. All inputs hash on one key, so that one look-up finds the matches in
  * every one of them. Not thread-safe: a task has it to itself.
  *
  * @param expiring
  *   by input, whether its rows ever go
  */
final class Mirror(val expiring: Array[Boolean]) {
  private val n = expiring.length
  private val groups = new HashMap[UnsafeRow, KeyGroup]
  private val synopses = Array.tabulate(n)(new Synopsis(_))
  private val queues = Array.tabulate(n)(newQueue)
  private var groupBytes = 0L

  /** By input, whether its rows are read from the state store and not kept here; and how many there are then.
    */
  val spilled: Array[Boolean] = new Array[Boolean](n)
  val spilledRows: Array[Long] = new Array[Long](n)

  /** The number that the next row gets. */
  var sequence: Long = 0L

  /** The stamp of the content: that of the state store when both hold the same. */
  var stamp: Long = StateHeader.Fresh

  def synopsis(input: Int): Synopsis = synopses(input)

  /** What all inputs hold of a key; null when none of them holds anything. */
  def find(key: UnsafeRow): KeyGroup = groups.get(key)

  /** The group of a key that has none yet.
    *
    * @param key
    *   copied
    */
  def create(key: UnsafeRow): KeyGroup = {
    val group = new KeyGroup(key.copy(), n)
    groups.put(group.key, group)
    groupBytes += bytesOf(group)
    group
  }

  def append(group: KeyGroup, input: Int, row: Array[Byte], time: Long, sequence: Long): Unit = {
    val slot = synopses(input).add(group, row, time, sequence)
    if (expiring(input) && time != Synopsis.Never) queues(input).add(slot)
  }

  /** Takes out one row of the input that goes at `bound` or before; the slot it had, of which time and
    * sequence are still to be read, or -1 when there is no more.
    */
  def expire(input: Int, bound: Long): Int = {
    val queue = queues(input)
    val synopsis = synopses(input)
    if (queue == null || queue.isEmpty || synopsis.time(queue.head) > bound) -1
    else {
      val slot = queue.remove()
      val group = synopsis.group(slot)
      synopsis.remove(slot)
      if (group.isEmpty) drop(group)
      slot
    }
  }

  /** The input that takes the most memory, of those that take any. */
  def largest: Option[Int] = (0 until n).filter(synopses(_).size > 0).maxByOption(synopses(_).memoryBytes)

  /** Lets an input be read from the state store from now on.
    *
    * @param each
    *   sees the rows that go: key and slot
    */
  def spill(input: Int)(each: (UnsafeRow, Int) => Unit): Unit = {
    val all = groups.values.toArray(Array.empty[KeyGroup])
    for (group <- all) {
      var slot = group.heads(input)
      while (slot >= 0) {
        each(group.key, slot)
        slot = synopses(input).next(slot)
      }
      group.heads(input) = -1
      if (group.isEmpty) drop(group)
    }
    spilled(input) = true
    spilledRows(input) = synopses(input).size
    synopses(input) = new Synopsis(input)
    queues(input) = newQueue(input)
  }

  /** Rows of each input. */
  def rows: Array[Long] = Array.tabulate(n)(i => if (spilled(i)) spilledRows(i) else synopses(i).size)

  /** About. */
  def memoryBytes: Long = groupBytes + synopses.map(_.memoryBytes).sum

  private def newQueue(input: Int) = if (expiring(input)) new ExpiryQueue(synopses(input)) else null

  private def drop(group: KeyGroup): Unit = {
    groups.remove(group.key)
    groupBytes -= bytesOf(group)
  }

  private def bytesOf(group: KeyGroup): Long = Mirror.GroupOverhead + group.key.getSizeInBytes + 4L * n
}

object Mirror {

  /** What the virtual machine adds to a group: objects, headers, a place in the hash table. */
  private val GroupOverhead = 160L
}
