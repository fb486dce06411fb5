package org.streamon.lab

import java.util.Arrays
import org.streamon.core.constraints.{ConstraintMonitors, JoinKeys, JoinRows, KeyRows}
import scala.collection.mutable

/** The rows of a join as a mirror of Spark's holds them, but of longs: in each dimension one table of keys
  * for all inputs, and of each key a chain of rows for each input.
  *
  * @param columns
  *   by input, by dimension: the position of its key in a row
  * @param widths
  *   by input, values of a row
  * @param monitors
  *   told of keys that come and go
  */
private[lab] final class InMemoryRows(
    keys: JoinKeys,
    columns: Array[Array[Int]],
    widths: Array[Int],
    monitors: ConstraintMonitors
) extends JoinRows {
  import InMemoryRows._

  private val n = keys.size
  private val tables = Array.fill(keys.dimensions)(mutable.LongMap.empty[KeyRows])
  private val inputs = Array.tabulate(n)(i => new Rows(i))

  /** The rows of one input. A free slot has no order. */
  private final class Rows(input: Int) {
    private val own = keys.dimensionsOf(input)
    private val width = widths(input)
    private var free = new Array[Int](Start)
    private var slots, freed = 0
    private var last = NoSlot
    private var later, earlier = new Array[Int](Start)
    private val nexts, previous = Array.fill(keys.dimensions)(new Array[Int](Start))
    private val groups = Array.fill(keys.dimensions)(new Array[KeyRows](Start))
    private var values = new Array[Long](Start * width)
    private var orders = Array.fill(Start)(Free)
    var size = 0
    var oldest: Int = NoSlot

    def bytesEach: Long = 8L * width + 8 + 8 + 12L * own.length
    def isUsed(slot: Int): Boolean = orders(slot) != Free
    def order(slot: Int): Long = orders(slot)
    def value(slot: Int, position: Int): Long = values(slot * width + position)
    def group(dimension: Int, slot: Int): KeyRows = groups(dimension)(slot)
    def next(dimension: Int, slot: Int): Int = nexts(dimension)(slot)

    def take(order: Long): Int = {
      val slot = if (freed > 0) free(freed - 1) else slots
      if (slot == slots) {
        if (slot == orders.length) grow()
        slots += 1
      } else freed -= 1
      orders(slot) = order
      earlier(slot) = last
      later(slot) = NoSlot
      if (last == NoSlot) oldest = slot else later(last) = slot
      last = slot
      size += 1
      slot
    }

    def set(slot: Int, position: Int, value: Long): Unit = values(slot * width + position) = value

    def link(slot: Int): Unit = {
      var k = 0
      while (k < own.length) {
        val d = own(k)
        val group = groupOf(d, value(slot, columns(input)(d)))
        val head = group.heads(input)
        groups(d)(slot) = group
        nexts(d)(slot) = head
        previous(d)(slot) = NoSlot
        if (head >= 0) previous(d)(head) = slot
        group.heads(input) = slot
        k += 1
      }
    }

    def remove(slot: Int): Unit = {
      var k = 0
      while (k < own.length) {
        val d = own(k)
        val (before, after) = (previous(d)(slot), nexts(d)(slot))
        if (before < 0) groups(d)(slot).heads(input) = after else nexts(d)(before) = after
        if (after >= 0) previous(d)(after) = before
        dropEmpty(d, groups(d)(slot))
        groups(d)(slot) = null
        k += 1
      }
      if (earlier(slot) == NoSlot) oldest = later(slot) else later(earlier(slot)) = later(slot)
      if (later(slot) == NoSlot) last = earlier(slot) else earlier(later(slot)) = earlier(slot)
      orders(slot) = Free
      free(freed) = slot
      freed += 1
      size -= 1
    }

    private def grow(): Unit = {
      val length = 2 * slots
      values = Arrays.copyOf(values, length * width)
      orders = Arrays.copyOf(orders, length)
      free = Arrays.copyOf(free, length)
      Arrays.fill(orders, slots, length, Free)
      earlier = Arrays.copyOf(earlier, length)
      later = Arrays.copyOf(later, length)
      for (d <- own) {
        groups(d) = Arrays.copyOf(groups(d), length)
        nexts(d) = Arrays.copyOf(nexts(d), length)
        previous(d) = Arrays.copyOf(previous(d), length)
      }
    }
  }

  override def hasInMemory(input: Int): Boolean = true
  override def isUsed(input: Int, slot: Int): Boolean = inputs(input).isUsed(slot)
  override def rowsOf(input: Int, dimension: Int, slot: Int): KeyRows = inputs(input).group(dimension, slot)
  override def next(input: Int, dimension: Int, slot: Int): Int = inputs(input).next(dimension, slot)
  override def find(dimension: Int, code: Long): KeyRows = tables(dimension).getOrNull(code)
  override def foreachKey(dimension: Int)(each: KeyRows => Unit): Unit =
    tables(dimension).values.toVector.foreach(each)

  def value(input: Int, slot: Int, position: Int): Long = inputs(input).value(slot, position)

  /** Adds a row: its slot.
    *
    * @param kept
    *   the columns of it that are kept
    */
  def add(input: Int, row: Array[Long], kept: Array[Int], order: Long): Int = {
    val rows = inputs(input)
    val slot = rows.take(order)
    var k = 0
    while (k < kept.length) {
      rows.set(slot, k, row(kept(k)))
      k += 1
    }
    rows.link(slot)
    slot
  }

  def remove(input: Int, slot: Int): Unit = inputs(input).remove(slot)

  /** Removes rows up to an order. */
  def expire(input: Int, through: Long): Unit = {
    val rows = inputs(input)
    while (rows.oldest != NoSlot && rows.order(rows.oldest) <= through) rows.remove(rows.oldest)
  }

  def size: Int = inputs.map(_.size).sum

  def bytes: Long = inputs.map(rows => rows.size * rows.bytesEach).sum +
    tables.map(_.size.toLong).sum * (KeyBytes + 4L * n)

  private def groupOf(dimension: Int, code: Long): KeyRows = {
    val known = tables(dimension).getOrNull(code)
    if (known != null) known
    else {
      val made = new KeyRows(n, code)
      tables(dimension).update(code, made)
      monitors.made(dimension, code)
      made
    }
  }

  private def dropEmpty(dimension: Int, group: KeyRows): Unit = if (group.isEmpty) {
    tables(dimension).remove(group.code)
    monitors.isGone(dimension, group.code)
  }
}

private[lab] object InMemoryRows {
  private val Start = 16
  private val NoSlot = -1
  private val Free = Long.MinValue

  /** Of a key, beside a slot for each input: two objects, and its place in the table. */
  private val KeyBytes = 64L
}
