package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.streamon.spark.execution.constraints.{ColdRows, ColdTier, ConstraintState}
import org.streamon.spark.execution.state.{
  DurableRows,
  DurableWindows,
  JoinShape,
  JoinStateStore,
  KeyGroup,
  MemoryShare,
  Mirror,
  Partner,
  RowKeys,
  SpilledRows,
  StateHeader,
  WindowedState
}

/** Builds the mirror of a partition from its state store.
  *
  * @param path
  *   the checkpoint
  * @param constraints
  *   the state of the constraints, still empty. None if constraints are not measured
  * @param partners
  *   by input, the input whose missing rows let its rows leave early, if any
  * @param share
  *   the memory of the mirror
  */
private[joins] final class MirrorRebuild(
    path: String,
    shape: JoinShape,
    constraints: Option[ConstraintState],
    partners: IndexedSeq[Option[Partner]],
    store: JoinStateStore,
    keys: RowKeys,
    share: MemoryShare
) {
  private val mirror = new Mirror(shape.bounds.expiring, shape.dimensionsOf, shape.numbers, partners)
  private val spill = new Spill(shape, mirror, store, keys)
  private val memory = new TaskMemory(share, mirror)
  private val groups = new Array[KeyGroup](shape.dimensions)
  private var stays = false

  /** @param told
    *   of cold rows
    * @param windows
    *   where rows of windows lie, if there are any
    */
  def from(header: Option[StateHeader], told: ColdRows.Told, windows: Option[DurableWindows]): Mirror = {
    for (state <- constraints) {
      mirror.listener = state
      state.gone = told.gone
    }
    mirror.windows = shape.order.map(order => new WindowedState(order.windowed))
    for (h <- header) {
      constraints.foreach(_.checkpoint.check(path, h.stamp, store.constraints))
      stays = constraints.exists(_.checkpoint.keepsCold(h.stamp, store.constraints))
      val cold = told.rows
      for (i <- 0 until shape.size)
        if (h.spilled(i)) {
          mirror.spilled(i) = true
          mirror.spilledRows(i) = h.rows(i)
          mirror.windows.foreach(_.spill(i))
        } else if (h.rows(i) + cold(i) > 0) {
          if (!stays && cold(i) > 0) warm(i, told.gone(i))
          read(i)
        }
      for (durable <- windows; held <- mirror.windows) held.read(durable, mirror, h.rows)
      for (state <- constraints if state.settings.mode.evicts) {
        state.checkpoint.restore(h.stamp, store.constraints)
        if (stays) {
          for (i <- 0 until shape.size) if (!h.spilled(i) && cold(i) > 0) tell(i, cold(i), state.cold)
          memory.review(spill)
        }
      }
      mirror.sequence = h.sequence
      mirror.stamp = h.stamp
    }
    mirror
  }

  /** Lays the cold rows of an input where those lie that memory holds, but for the ones that have gone:
    * constraints no longer call any dead.
    */
  private def warm(input: Int, gone: Long): Unit = {
    store.foreachKeyed(input, shape.dimensionsOf(input).head) { (time, sequence, row) =>
      if (time > gone) store.put(input, time, sequence, row)
      keys.removeFrom(store, input, row, time, sequence)
    }
    mirror.altered = true
    constraints.foreach(_.haveComeBack = true)
  }

  /** Tells of the cold rows of an input, which stay where they are. */
  private def tell(input: Int, rows: Long, cold: ColdTier): Unit = {
    cold.begin(input, rows)
    store.foreachKeyed(input, shape.dimensionsOf(input).head) { (time, _, row) =>
      cold.add(input, time, d => mirror.code(d, keys(input, d, row)))
    }
  }

  /** Reads the rows of an input, as far as memory has room for them; where cold rows stay cold, room is made
    * when all are read. Those that are marked were dead, and kept to see whether they are met.
    */
  private def read(input: Int): Unit =
    store.foreachMarked(input) { (time, sequence, row, mark) =>
      if (stays && mark.contains(DurableRows.Cold)) {
        // An earlier build has it by name too.
        store.remove(input, time, sequence)
        store.unmark(input, time, sequence)
        mirror.altered = true
      } else {
        if (mirror.spilled(input)) spilled(input, time, sequence, row, mark)
        else kept(input, time, sequence, row, mark)
        if (!stays && memory.isDue) memory.review(spill)
      }
    }

  private def kept(input: Int, time: Long, sequence: Long, row: UnsafeRow, mark: Option[Long]): Unit = {
    val own = shape.dimensionsOf(input)
    for (d <- own) groups(d) = mirror.groupOf(d, keys(input, d, row))
    memory.grows(row.getSizeInBytes)
    val slot = mirror.append(groups, input, SpilledRows.bytesOf(row), time, sequence)
    val retaining = constraints.filter(_.retained.samples(input, groups))
    for (died <- mark)
      if (died != DurableRows.Cold && retaining.nonEmpty)
        retaining.get.retained.add(input, slot, died, mirror)
      else comesBack(input, time, sequence)
  }

  private def spilled(input: Int, time: Long, sequence: Long, row: UnsafeRow, mark: Option[Long]): Unit = {
    for (d <- shape.dimensionsOf(input)) store.putKeyed(input, d, keys(input, d, row), time, sequence, row)
    mirror.spilledRows(input) += 1
    if (mark.nonEmpty) comesBack(input, time, sequence)
  }

  /** A row is no longer one that constraints call dead. */
  private def comesBack(input: Int, time: Long, sequence: Long): Unit = {
    store.unmark(input, time, sequence)
    mirror.altered = true
    constraints.foreach(_.haveComeBack = true)
  }
}
