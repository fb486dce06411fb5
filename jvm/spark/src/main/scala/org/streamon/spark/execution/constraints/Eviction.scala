package org.streamon.spark.execution.constraints

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.streamon.core.constraints.ConstraintMode
import org.streamon.spark.execution.state.{DurableRows, JoinShape, KeyGroup, Mirror, RowKeys, SpilledRows}

/** Handles the dead rows of one task: marks them, deletes them, or leaves them only in the state store. The
  * new rows of the micro-batch are not in the store yet.
  *
  * @param first
  *   the sequence number of the first new row
  */
final class Eviction(
    shape: JoinShape,
    state: ConstraintState,
    mirror: Mirror,
    store: DurableRows,
    keys: RowKeys,
    first: Long
) {
  import state.{cold, dead, retained, settings}

  private val dimensions = shape.dimensionsOf
  private val toStore =
    settings.mode == ConstraintMode.Strict || settings.mode == ConstraintMode.Exact
  private val cursors = shape.inputs.map(columns => new UnsafeRow(columns.size)).toArray
  private val groups = new Array[KeyGroup](shape.dimensions)

  /** Cold rows that results have, by input, time and sequence: where they lie, a dimension and a key. */
  private val wanted = mutable.LinkedHashMap.empty[(Int, Long, Long), (Int, UnsafeRow)]

  /** By input, rows that have left memory. */
  val evicted: Array[Long] = new Array[Long](shape.size)

  /** Rows taken out of the state. */
  var removed: Long = 0L

  /** Whether the state store has been changed. */
  var changed: Boolean = false

  def dies(input: Int, slot: Int): Unit = {
    val synopsis = mirror.synopsis(input)
    if (!settings.mode.evicts) dead(input).add(slot, synopsis.bytesOf(slot))
    else {
      if (retained.samples(input, synopsis.group(_, slot))) {
        retained.add(input, slot, mirror.sequence, mirror)
        store.mark(input, synopsis.time(slot), synopsis.sequence(slot), mirror.sequence)
      } else {
        if (toStore) cool(input, slot) else forget(input, slot)
        mirror.remove(input, slot)
        evicted(input) += 1
      }
      changed = true
    }
  }

  /** Lets go of rows that were retained for long enough. */
  def dropRetained(): Unit = retained.outlived(mirror) { (input, slot) =>
    val synopsis = mirror.synopsis(input)
    store.unmark(input, synopsis.time(slot), synopsis.sequence(slot))
    forget(input, slot)
    mirror.remove(input, slot)
    evicted(input) += 1
    changed = true
  }

  private def forget(input: Int, slot: Int): Unit = {
    val synopsis = mirror.synopsis(input)
    if (!isNew(input, slot)) store.remove(input, synopsis.time(slot), synopsis.sequence(slot))
    removed += 1
  }

  private def isNew(input: Int, slot: Int) = mirror.synopsis(input).sequence(slot) >= first

  /** A slot has got a row: writes it if it has come with the micro-batch, and is still there. */
  def write(input: Int, slot: Int): Unit = {
    val synopsis = mirror.synopsis(input)
    if (synopsis.isUsed(slot) && isNew(input, slot)) {
      synopsis.pointTo(slot, cursors(input))
      store.put(input, synopsis.time(slot), synopsis.sequence(slot), cursors(input))
    }
  }

  private def cool(input: Int, slot: Int): Unit = {
    val synopsis = mirror.synopsis(input)
    val (time, sequence) = (synopsis.time(slot), synopsis.sequence(slot))
    if (!isNew(input, slot)) store.remove(input, time, sequence)
    synopsis.pointTo(slot, cursors(input))
    for (d <- dimensions(input))
      store.putKeyed(input, d, synopsis.group(d, slot).key, time, sequence, cursors(input))
    cold.add(input, time, synopsis.group(_, slot).code)
  }

  /** A result has a cold row. Where rows are lost that die it stays where it is. */
  def met(input: Int, name: (Long, Long), place: (Int, UnsafeRow)): Unit =
    if (toStore) wanted.getOrElseUpdate((input, name._1, name._2), place)

  /** All rows of an input are read from the store from now on: none needs to be taken back. */
  def forgetsMet(input: Int): Unit = wanted.filterInPlace((row, _) => row._1 != input)

  /** Takes rows that have been met back into memory: what called them dead was wrong, and may be revoked.
    *
    * @param warm
    *   takes input and slot
    */
  def bringBack(warm: (Int, Int) => Unit): Unit =
    for {
      ((input, time, sequence), (dimension, of)) <- wanted if time > state.gone(input)
      row <- Option(store.getKeyed(input, dimension, of, time, sequence))
    } {
      store.put(input, time, sequence, row)
      for (d <- dimensions(input)) {
        val key = keys(input, d, row)
        groups(d) = mirror.groupOf(d, key)
        store.removeKeyed(input, d, key, time, sequence)
      }
      cold.remove(input, time)
      warm(input, mirror.append(groups, input, SpilledRows.bytesOf(row), time, sequence))
      changed = true
    }

  /** Cold rows with a time up to this are gone from now on, and are told to be: the next micro-batch must not
    * find them.
    *
    * @param going
    *   by input
    */
  def letGo(going: Array[Long]): Unit = {
    val before = state.gone
    state.gone = Array.tabulate(going.length)(i => math.max(before(i), going(i)))
    changed ||= going.indices.exists(i => cold.rows(i) > 0 && state.gone(i) > before(i))
  }

  /** Walks through the cold rows of an input and takes out those that have gone. */
  def sweep(input: Int): Unit = {
    val bound = state.gone(input)
    cold.begin(input, cold.live(input, bound))
    store.foreachKeyed(input, dimensions(input).head) { (time, sequence, row) =>
      if (time > bound) cold.add(input, time, d => mirror.code(d, keys(input, d, row)))
      else {
        keys.removeFrom(store, input, row, time, sequence)
        removed += 1
        changed = true
      }
    }
  }
}
