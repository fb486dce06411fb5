package org.streamon.core.joins

/** The nested loop over a pipeline's windows that finds the combinations which join with the row at hand. It
  * serves both phases: a logical filter asks for the first combination along its path, output generation for
  * all of them. Allocates nothing.
  *
  * Where no row of a step leads to a combination it goes back to the latest step that had a part in it, past
  * those that had none (conflict-directed backjumping: Prosser, Computational Intelligence 9(3), 1993): what
  * their other rows would lead to has failed already. So a row without results is dropped about as soon as
  * drop probing does it, though it may be in a pipeline of caches, as far as none of these is maintained by
  * it.
  */
private[core] final class NestedLoop(pipeline: Pipeline, arrival: PartialMatch, synopses: Synopses) {
  import Probe.NoRow

  private val joined = arrival.joined
  private val heads = arrival.heads
  private val steps = pipeline.steps
  private val last = pipeline.length - 1
  private var position = -1

  /** By position: the inputs, as bits, that had a part in what has failed since it was entered. */
  private val blamed = new Array[Long](pipeline.length)

  /** Up to this position a combination has been found since it was entered. */
  private var fruitful = -1

  /** The first combination; it is then in what is joined. */
  def first(): Boolean = {
    position = -1
    fruitful = -1
    open(0) && descend(0, entering = true)
  }

  /** The next combination. Only after one was found. */
  def next(): Boolean = descend(position, entering = false)

  private def descend(from: Int, entering: Boolean): Boolean = {
    var p = from
    var stands = if (entering) enter(p) else advance(steps(p))
    while (p >= 0) {
      if (!stands) {
        p = back(p)
        if (p >= 0) stands = advance(steps(p))
      } else if (!open(p + 1)) stands = advance(steps(p))
      else if (p == last) {
        position = last
        fruitful = last
        return true
      } else {
        p += 1
        stands = enter(p)
      }
    }
    false
  }

  /** The position to go on from when one has no more matches. */
  private def back(p: Int): Int = {
    var q = p - 1
    if (p > fruitful) {
      val by = blamed(p)
      while (q >= 0 && !steps(q).isBarrier && (steps(q).windows & by) == 0L) {
        steps(q).probe.passedOver()
        q -= 1
      }
      if (q >= 0) blamed(q) |= by
    }
    q
  }

  /** Joins with the first match of a step, for what is joined before it. */
  private def enter(p: Int): Boolean = {
    val step = steps(p)
    blamed(p) = step.needs
    if (fruitful >= p) fruitful = p - 1
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
        if (!lookUp(step)) {
          blamed(count - 1) |= step.needs
          return false
        }
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
