package org.streamon.core.caching

import org.streamon.core.joins.{Probe, Synopses}

/** Synopses in which nothing more is found after so many steps: look-ups and rows that are moved on from. */
private[core] final class BoundedSynopses(synopses: Synopses) extends Synopses {
  private var left = 0

  def begin(steps: Int): Unit = left = steps

  def probe(window: Int, classes: Long, from: Array[Int]): Probe =
    new Bounded(synopses.probe(window, classes, from))

  def satisfies(residual: Int, joined: Array[Long]): Boolean = synopses.satisfies(residual, joined)

  private final class Bounded(probe: Probe) extends Probe {
    def first(joined: Array[Long]): Long = if (isOver) Probe.NoRow else probe.first(joined)
    def next(row: Long, joined: Array[Long]): Long = if (isOver) Probe.NoRow else probe.next(row, joined)

    private def isOver = {
      left -= 1
      left < 0
    }
  }
}
