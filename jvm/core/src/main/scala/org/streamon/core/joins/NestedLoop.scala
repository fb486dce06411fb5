package org.streamon.core.joins

/** The nested loop over a pipeline's windows that finds the combinations which join with the row at hand. It
  * serves both phases: a logical filter asks for the first combination along its path, output generation for
  * all of them. Allocates nothing.
  */
private[core] final class NestedLoop(pipeline: Pipeline, arrival: Arrival, synopses: Synopses) {
  import Probe.NoRow

  private val joined = arrival.joined
  private val heads = arrival.heads
  private val steps = pipeline.steps
  private val last = pipeline.length - 1
  private var position = -1

  /** The first combination; it is then in what is joined. */
  def first(): Boolean = {
    position = -1
    open(0) && descend(0, entering = true)
  }

  /** The next combination. Only after one was found. */
  def next(): Boolean = descend(position, entering = false)

  private def descend(from: Int, entering: Boolean): Boolean = {
    var p = from
    var fresh = entering
    while (p >= 0) {
      val step = steps(p)
      if (if (fresh) enter(step) else advance(step)) {
        fresh = open(p + 1)
        if (fresh) {
          if (p == last) {
            position = last
            return true
          }
          p += 1
        }
      } else {
        fresh = false
        p -= 1
      }
    }
    false
  }

  /** Joins with the first match of a step. */
  private def enter(step: Pipeline.Step): Boolean = {
    val head = heads(step.place)
    joined(step.place) = head
    if (step.composites != null) step.composites.bind(head, joined)
    satisfies(step.late) || advance(step)
  }

  /** Joins with the next match of a step. */
  private def advance(step: Pipeline.Step): Boolean = {
    val place = step.place
    while ({
      joined(place) = step.probe.next(joined(place), joined)
      joined(place) != NoRow
    }) if (satisfies(step.early) && satisfies(step.late)) return true
    false
  }

  /** Looks up what is due once `count` windows are joined; false when one has no match. */
  private def open(count: Int): Boolean = {
    val due = pipeline.opens(count)
    var k = 0
    while (k < due.length) {
      val step = steps(due(k))
      if (count > 0) {
        if (!lookUp(step)) return false
      } else if (!arrival.knows(step.place)) {
        if (!lookUp(step)) return false
        arrival.learn(step.place)
      }
      k += 1
    }
    true
  }

  private def lookUp(step: Pipeline.Step): Boolean = {
    val place = step.place
    arrival.counts(place) += 1
    var row = step.probe.first(joined)
    joined(place) = row
    while (row != NoRow && !satisfies(step.early)) {
      row = step.probe.next(row, joined)
      joined(place) = row
    }
    heads(place) = row
    if (row == NoRow) arrival.missed = place
    row != NoRow
  }

  private def satisfies(residuals: Array[Int]): Boolean = {
    var k = 0
    while (k < residuals.length) {
      if (!synopses.satisfies(residuals(k), joined)) return false
      k += 1
    }
    true
  }
}
