package org.streamon.core.constraints

import java.util.ArrayList

/** k-Mon's Executor (thesis, Chapter 6) of one micro-batch: what its rows say of constraints, and which rows
  * of the join are in no future result then. The thesis decides a tuple at a time; here it is decided when
  * the micro-batch has come, from that as a set.
  *
  * @param asked
  *   whether a row that may have died is to be looked at: input and slot
  * @param dies
  *   takes those that have. It may take them out.
  * @param room
  *   as for [[DeadRows]]
  */
final class ConstraintExecutor(
    keys: JoinKeys,
    monitors: ConstraintMonitors,
    rows: JoinRows,
    asked: (Int, Int) => Boolean,
    dies: (Int, Int) => Unit,
    room: Int = DeadRows.Room
) {
  private val n = keys.size
  private val arrived = Array.fill(keys.dimensions, n)(new LongBuffer)
  private val kept = Array.fill(n)(new LongBuffer)
  private val dead = Array.fill(n)(new LongBuffer)
  private val deadRows =
    if (!keys.isTree) null
    else
      new DeadRows(
        keys,
        rows,
        (d, key, of) => rows.hasInMemory(of) && monitors.closed(d, key, of),
        asked,
        (i, slot) => dead(i).add(slot.toLong),
        room
      )

  /** Whether it can tell which rows are dead. */
  def canTell: Boolean = deadRows != null

  /** A row has come with a key. */
  def rowArrived(input: Int, dimension: Int, code: Long): Unit = arrived(dimension)(input).add(code)

  /** A row has come and has got a slot, or one that is held is to be looked at anew. To be called for each
    * that memory keeps, at any time before `collect`, which looks whether it is dead.
    */
  def rowKept(input: Int, slot: Int): Unit = if (canTell) kept(input).add(slot.toLong)

  /** Gives the slots of the rows kept; any may have another row by now, or none. */
  def foreachKept(each: (Int, Int) => Unit): Unit = foreach(kept, each)

  /** Gives the monitors what came, as a set, which changes the k in use. To be called once, when all rows of
    * the micro-batch are in their slots and have their results, and before `collect`, which closes keys by
    * it.
    *
    * @param broken
    *   what `ConstraintMonitors.blamed` said of results with dead rows. Of these the learned are not relied
    *   on until they have been learned again.
    */
  def measure(broken: Iterable[MonitoredConstraint]): Unit = {
    monitors.observe(arrived, rows)
    broken.foreach(monitors.violated)
  }

  /** Finds the dead rows, after `measure`, and gives them. Keys that are over are all known before, so that
    * what is found does not depend on which is told first.
    */
  def collect(): Unit = if (canTell) {
    val over = new ArrayList[() => Unit]
    monitors.close(rows)((d, key, of) => over.add(() => deadRows.over(d, key, of)))
    foreachKept((i, slot) => if (rows.isUsed(i, slot)) deadRows.arrived(i, slot))
    over.forEach(_.apply())
    foreach(dead, dies)
  }

  private def foreach(slots: Array[LongBuffer], each: (Int, Int) => Unit): Unit =
    for (i <- 0 until n; k <- 0 until slots(i).size) each(i, slots(i)(k).toInt)
}
