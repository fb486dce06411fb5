package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.streamon.spark.execution.constraints.ConstraintState
import org.streamon.spark.execution.state.{DurableRows, JoinShape, Mirror, RowKeys}

/** Moves an input of a mirror to the state store if memory has no room for it. */
final class Spill(shape: JoinShape, mirror: Mirror, store: DurableRows, keys: RowKeys) extends (Int => Unit) {

  override def apply(input: Int): Unit = {
    val synopsis = mirror.synopsis(input)
    val row = new UnsafeRow(shape.inputs(input).size)
    val cold = ConstraintState.of(mirror).fold(0L)(joinCold(input, _))
    mirror.spill(input) { slot =>
      val (time, sequence) = (synopsis.time(slot), synopsis.sequence(slot))
      synopsis.pointTo(slot, row)
      // One that goes at the end of the micro-batch, and that the store does not have.
      if (sequence < 0L) store.put(input, time, sequence, row)
      for (d <- shape.dimensionsOf(input))
        store.putKeyed(input, d, synopsis.group(d, slot).key, time, sequence, row)
    }
    mirror.altered = true
    // They are read together from now on.
    for (state <- ConstraintState.of(mirror)) {
      mirror.spilledRows(input) += cold
      if (state.settings.mode.evicts) store.foreachMark(input)(store.unmark(input, _, _))
      state.forget(input)
      // Before what is known is written: the groups are gone.
      state.monitors.release(mirror)
    }
  }

  /** Lays cold rows as those of spilled inputs lie, but for the ones that have gone; how many there are. */
  private def joinCold(input: Int, state: ConstraintState): Long = {
    var rows = 0L
    if (state.cold.rows(input) > 0)
      store.foreachKeyed(input, shape.dimensionsOf(input).head) { (time, sequence, row) =>
        if (time > state.gone(input)) {
          rows += 1
          if (shape.namesSpilled(input)) store.put(input, time, sequence, row)
        } else keys.removeFrom(store, input, row, time, sequence)
      }
    rows
  }
}
