package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.expressions.{Attribute, UnsafeProjection, UnsafeRow}
import org.streamon.spark.execution.state.{
  DurableRows,
  DurableWindows,
  InOrder,
  JoinShape,
  Mirror,
  RowKeys,
  Synopsis,
  WindowGroup
}

/** The window of rows of one input in one task (CQL, `PARTITION BY a ROWS n`). Every row of the input gets a
  * number within its group, also if it joins in another partition. Then the row with the number that is less
  * by `rows` leaves the window.
  */
sealed abstract class RowWindow(input: Int, window: InOrder.Window, columns: Seq[Attribute]) {
  private val groupOf = UnsafeProjection.create(window.groups, columns)
  protected var key: UnsafeRow = _

  /** Rows that came, and rows that left. */
  var entered: Long = 0L
  var removed: Long = 0L

  /** A row has come: the one that leaves for it is taken out of all there is. */
  def enter(row: UnsafeRow): Unit = {
    key = groupOf(row)
    entered += 1
    val number = next()
    if (number > window.rows) leave(number - window.rows)
  }

  /** The row that came last is kept.
    *
    * @param slot
    *   where in memory; negative when only in the state store
    */
  def kept(slot: Int, sequence: Long): Unit

  /** Writes what the state store does not have yet. */
  def flush(): Unit

  /** The same window once its input is read from the state store, with what it has counted. */
  def inStore: RowWindow

  /** Counts the row; its number, from 1. */
  protected def next(): Long

  protected def leave(number: Long): Unit
}

object RowWindow {

  /** By input, null for those without a window of rows. */
  def all(
      shape: JoinShape,
      order: InOrder,
      mirror: Mirror,
      keys: RowKeys,
      rows: DurableRows,
      store: DurableWindows
  ): Array[RowWindow] = Array.tabulate(shape.size) { i =>
    order
      .inputs(i)
      .window
      .map { window =>
        if (mirror.spilled(i)) new InStore(i, window, shape, mirror, keys, rows, store)
        else new InMemory(i, window, shape, mirror, keys, rows, store)
      }
      .orNull
  }

  /** In the mirror, whose changes the state store gets as well. */
  private final class InMemory(
      input: Int,
      window: InOrder.Window,
      shape: JoinShape,
      mirror: Mirror,
      keys: RowKeys,
      rows: DurableRows,
      store: DurableWindows
  ) extends RowWindow(input, window, shape.inputs(input)) {
    private val groups = mirror.windows.get.groups(input)
    private val synopsis = mirror.synopsis(input)
    private val changed = new java.util.ArrayList[WindowGroup]
    private var group: WindowGroup = _

    override protected def next(): Long = {
      group = groups.find(key)
      if (group == null) group = groups.create(key, 0L)
      if (!group.changed) {
        group.changed = true
        changed.add(group)
      }
      group.count += 1
      group.count
    }

    override protected def leave(number: Long): Unit = {
      val slot = group.take(number)
      if (slot >= 0) {
        mirror.remove(input, slot)
        rows.remove(input, synopsis.time(slot), synopsis.sequence(slot))
        store.removeSequence(input, group.key, number)
        removed += 1
      }
    }

    override def kept(slot: Int, sequence: Long): Unit = {
      group.add(group.count, slot)
      store.putSequence(input, group.key, group.count, sequence)
    }

    override def flush(): Unit = {
      changed.forEach { group =>
        store.putCount(input, group.key, group.count)
        group.changed = false
      }
      changed.clear()
    }

    override def inStore: RowWindow = {
      flush()
      val window = new InStore(input, this.window, shape, mirror, keys, rows, store)
      window.entered = entered
      window.removed = removed
      window
    }
  }

  /** Of an input that memory has no room for. */
  private final class InStore(
      input: Int,
      window: InOrder.Window,
      shape: JoinShape,
      mirror: Mirror,
      keys: RowKeys,
      rows: DurableRows,
      store: DurableWindows
  ) extends RowWindow(input, window, shape.inputs(input)) {
    private var count = 0L

    override protected def next(): Long = {
      count = store.count(input, key) + 1
      store.putCount(input, key, count)
      count
    }

    override protected def leave(number: Long): Unit = {
      val sequence = store.sequence(input, key, number)
      if (sequence >= 0L) {
        val row = rows.get(input, Synopsis.Never, sequence)
        keys.removeFrom(rows, input, row, Synopsis.Never, sequence)
        rows.remove(input, Synopsis.Never, sequence)
        store.removeSequence(input, key, number)
        mirror.spilledRows(input) -= 1
        removed += 1
      }
    }

    override def kept(slot: Int, sequence: Long): Unit = store.putSequence(input, key, count, sequence)

    override def flush(): Unit = ()

    override def inStore: RowWindow = this
  }
}
