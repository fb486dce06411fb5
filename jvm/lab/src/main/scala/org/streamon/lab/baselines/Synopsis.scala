package org.streamon.lab.baselines

import org.streamon.core.joins.{Bits, HashChains, JoinGraph, Row}

import scala.collection.mutable

/** The content of one window in memory, with a hash index for each set of key classes that a pipeline asks
  * for. A row has a slot from `store` to `free`, and takes part in joins from `enter` to `leave`.
  *
  * @param graph
  *   the join
  * @param input
  *   whose window it is
  */
final class Synopsis(graph: JoinGraph, input: Int) {
  private var rows = new Array[Row](16)
  private var generations = new Array[Int](16)
  private var freed = new Array[Int](16)
  private var freedCount = 0
  private var slots = 0
  private val whole = new HashChains
  private val indexes = mutable.Map.empty[Long, Index]
  private var all = Array.empty[Index]
  private var present = new Array[Boolean](16)
  private var count = 0
  private var gone = 0L

  /** Rows that take part in joins. */
  def size: Int = count

  def row(slot: Int): Row = rows(slot)

  /** A slot for the row. */
  def store(row: Row): Int = {
    val slot = if (freedCount > 0) freed(freedCount - 1) else slots
    freedCount = math.max(freedCount - 1, 0)
    if (slot == rows.length) {
      rows = java.util.Arrays.copyOf(rows, 2 * slot)
      generations = java.util.Arrays.copyOf(generations, 2 * slot)
      present = java.util.Arrays.copyOf(present, 2 * slot)
    }
    if (slot == slots) slots += 1
    rows(slot) = row
    slot
  }

  def free(slot: Int): Unit = {
    rows(slot) = null
    generations(slot) += 1
    gone += 1
    if (freedCount == freed.length) freed = java.util.Arrays.copyOf(freed, 2 * freedCount)
    freed(freedCount) = slot
    freedCount += 1
  }

  /** The slot, with the number of rows that have left it above. */
  def reference(slot: Int): Long = generations(slot).toLong << 32 | slot

  def holds(reference: Long): Boolean = this.reference(reference.toInt) == reference

  /** Rows that have given back their slots. */
  def departures: Long = gone

  def enter(slot: Int): Unit = {
    whole.add(slot, rows(slot).##)
    var k = 0
    while (k < all.length) {
      all(k).chains.add(slot, all(k).hash(rows(slot)))
      k += 1
    }
    present(slot) = true
    count += 1
  }

  def leave(slot: Int): Unit = {
    whole.remove(slot)
    var k = 0
    while (k < all.length) {
      all(k).chains.remove(slot)
      k += 1
    }
    present(slot) = false
    count -= 1
  }

  /** A slot that holds a row equal to this one and takes part in joins; -1 when there is none. */
  def find(row: Row): Int = {
    var slot = whole.first(row.##)
    while (slot != HashChains.End && rows(slot) != row) slot = whole.next(slot)
    slot
  }

  /** The index on a set of key classes, built when it is first asked for. */
  def index(classes: Long): HashChains = indexes
    .getOrElseUpdate(
      classes, {
        val built = new Index(classes)
        slotsOfEntered.foreach(slot => built.chains.add(slot, built.hash(rows(slot))))
        all :+= built
        built
      }
    )
    .chains

  /** The first slot from `start` on whose row takes part in joins; -1 when there is none. */
  def scan(start: Int): Int = {
    var slot = start
    while (slot < slots && !present(slot)) slot += 1
    if (slot < slots) slot else -1
  }

  private def slotsOfEntered: Iterator[Int] =
    Iterator.iterate(scan(0))(slot => scan(slot + 1)).takeWhile(_ >= 0)

  private final class Index(classes: Long) {
    val chains = new HashChains
    private val columns = Bits.members(classes).map(graph.classes(_).column(input)).toArray

    def hash(row: Row): Int = {
      var h = 0
      var k = 0
      while (k < columns.length) {
        h = 31 * h + row(columns(k)).##
        k += 1
      }
      h
    }
  }
}
