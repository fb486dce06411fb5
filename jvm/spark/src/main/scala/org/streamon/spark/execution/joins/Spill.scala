package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.streamon.spark.execution.constraints.ConstraintState
import org.streamon.spark.execution.state.{DurableRows, JoinShape, Mirror}

/** Lets inputs of a mirror be read from the state store where memory has no room for them. */
final class Spill(shape: JoinShape, mirror: Mirror, store: DurableRows) {

  /** Spills the input that takes the most, and the next, until the rest takes no more than so many bytes. */
  def down(bytes: Long): Unit =
    while (mirror.memoryBytes > bytes && mirror.largest.isDefined) spill(mirror.largest.get)

  private def spill(input: Int): Unit = {
    val synopsis = mirror.synopsis(input)
    val row = new UnsafeRow(shape.inputs(input).size)
    mirror.spill(input) { slot =>
      synopsis.pointTo(slot, row)
      for (d <- shape.dimensionsOf(input)) {
        val key = synopsis.group(d, slot).key
        store.putKeyed(input, d, key, synopsis.time(slot), synopsis.sequence(slot), row)
      }
    }
    mirror.altered = true
    // They are read together from now on.
    for (state <- ConstraintState.of(mirror)) {
      mirror.spilledRows(input) += state.cold.rows(input)
      if (state.settings.mode.evicts) store.foreachMark(input)(store.unmark(input, _, _))
      state.forget(input)
      // Before what is known is written: the groups are gone.
      state.monitors.release(mirror)
    }
  }
}
