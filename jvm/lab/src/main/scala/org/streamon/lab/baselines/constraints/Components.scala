package org.streamon.lab.baselines.constraints

import org.streamon.core.constraints.{LongHeap, NoValue}

/** The synopsis of one input in its three parts (thesis, Section 6.4). Yes and Unknown tuples keep the
  * columns that are joined or projected; No tuples only those that join with parents.
  *
  * @param projected
  *   columns that results show
  * @param marked
  *   whether constraints set bits in tuples
  */
private[constraints] final class Components(
    graph: DirectedJoinGraph,
    input: Int,
    projected: Seq[Int],
    marked: Boolean
) {
  private val joined = graph.joinColumns(input)
  private val keys = graph.keyColumns(input)

  /** The columns kept, by position in a Yes or Unknown tuple. */
  val columns: Array[Int] = (joined ++ projected).distinct.toArray

  /** Yes and Unknown. */
  val live: TupleStore = new TupleStore(columns.length, joined.indices.toArray, queued = true, marked)

  val no: TupleStore = new TupleStore(keys.length, keys.indices.toArray, queued = false, marked)

  /** When No tuples expire: they enter in another sequence than they arrived in. */
  private val expiries = new LongHeap

  /** By edge, the index of this input's column of it: in `live`, and in `no` for edges to parents. */
  private val liveIndexes = graph.edges.map(e => joined.indexOf(e.columnOf(input))).toArray
  private val noIndexes =
    graph.edges.map(e => if (e.child == input) keys.indexOf(e.childColumn) else -1).toArray

  /** By position in a No tuple, the position in a live one. */
  private val keyPositions = keys.map(joined.indexOf(_)).toArray

  /** The position in a live tuple of a column; -1 when it is not kept. */
  def position(column: Int): Int = columns.indexOf(column)

  /** A live tuple's value in the column of an edge. */
  def key(slot: Int, edge: Int): Long = live.value(slot, liveIndexes(edge))

  def noKey(slot: Int, edge: Int): Long = no.value(slot, noIndexes(edge))

  /** The first live tuple that joins a value by an edge; `End` when there is none. */
  def findLive(edge: Int, value: Long): Int =
    if (value == NoValue) End else live.find(liveIndexes(edge), value)

  def nextLive(edge: Int, slot: Int): Int = live.next(liveIndexes(edge), slot)

  def findNo(edge: Int, value: Long): Int = if (value == NoValue) End else no.find(noIndexes(edge), value)

  def nextNo(edge: Int, slot: Int): Int = no.next(noIndexes(edge), slot)

  /** A slot in `live` with the row's values. It has not entered. */
  def store(row: Array[Long], order: Long): Int = {
    val slot = live.store(order)
    var k = 0
    while (k < columns.length) {
      live.set(slot, k, row(columns(k)))
      k += 1
    }
    slot
  }

  /** Puts what is in a slot of `live` into No as well. */
  def addNo(slot: Int): Int = {
    val dead = no.store(live.order(slot))
    var k = 0
    while (k < keyPositions.length) {
      no.set(dead, k, live.value(slot, keyPositions(k)))
      k += 1
    }
    no.enter(dead, Part.No)
    if (marked) no.mark(dead, live.marks(slot))
    expiries.push(no.order(dead), dead)
    expiries.compact((order, slot) => no.part(slot) == Part.No && no.order(slot) == order)
    dead
  }

  def removeLive(slot: Int): Unit = {
    live.leave(slot)
    live.free(slot)
  }

  def removeNo(slot: Int): Unit = {
    no.leave(slot)
    no.free(slot)
  }

  /** Removes No tuples up to an order. */
  def expireNo(through: Long): Unit = {
    while (expiries.least <= through) {
      val slot = expiries.pop()
      // Another tuple may be there by now, and even so it is due if its order says so.
      if (no.part(slot) == Part.No && no.order(slot) <= through) removeNo(slot)
    }
  }

  /** Tuples with a value in a joined column.
    *
    * @param leave
    *   takes each live one, which it must remove; No tuples are removed, those that it adds among them
    */
  def expireKey(column: Int, value: Long)(leave: Int => Unit): Unit = if (value != NoValue) {
    val (index, noIndex) = (joined.indexOf(column), keys.indexOf(column))
    require(index >= 0, s"column $column of input $input: expected one that is joined")
    var slot = live.find(index, value)
    while (slot != End) {
      leave(slot)
      slot = live.find(index, value)
    }
    if (noIndex >= 0) {
      slot = no.find(noIndex, value)
      while (slot != End) {
        removeNo(slot)
        slot = no.find(noIndex, value)
      }
    }
  }

  /** Removes all No tuples but some, by the key that they join their first parent with. */
  def purgeNo(keep: Long => Boolean): Unit = {
    var slot = 0
    while (slot < no.slotCount) {
      if (no.part(slot) == Part.No && !keep(no.value(slot, 0))) removeNo(slot)
      slot += 1
    }
  }

  def noBytes: Long = no.bytes + expiries.bytes
}
