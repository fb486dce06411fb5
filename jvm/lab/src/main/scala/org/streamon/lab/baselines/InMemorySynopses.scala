package org.streamon.lab.baselines

import org.streamon.core.joins.{Bits, HashChains, JoinGraph, Probe, ReferableSynopses, Row}
import scala.collection.immutable.ArraySeq
import scala.collection.mutable

/** All windows of a join in memory; handles are slots.
  *
  * @param residuals
  *   the graph's residual predicates, on a result that has a row for at least the inputs that they refer to,
  *   and null for others; it is reused from call to call
  * @param unindexed
  *   windows without index, as bits: probing walks over them
  * @param unindexedClasses
  *   the key classes that they have no index on, as bits; all by default
  */
final class InMemorySynopses(
    graph: JoinGraph,
    residuals: IndexedSeq[IndexedSeq[Row] => Boolean] = Vector(),
    unindexed: Long = 0L,
    unindexedClasses: Long = -1L
) extends ReferableSynopses {
  require(
    residuals.size == graph.residuals.size,
    s"${residuals.size} residual predicates: the join graph has ${graph.residuals.size}"
  )

  private val windows = Array.tabulate(graph.n)(new Synopsis(graph, _))

  /** By input, the row that a residual predicate is on. */
  private val checked = new Array[Row](graph.n)
  private val onChecked = ArraySeq.unsafeWrapArray(checked)

  /** Look-ups in all windows. */
  var lookUps: Long = 0L

  /** Rows that look-ups went over, those of other keys in a window without index included. */
  var rowsRead: Long = 0L

  def apply(input: Int): Synopsis = windows(input)

  /** The rows joined, by input. */
  def result(joined: Array[Long]): IndexedSeq[Row] = {
    val rows = new Array[Row](windows.length)
    var i = 0
    while (i < rows.length) {
      rows(i) = windows(i).row(joined(i).toInt)
      i += 1
    }
    ArraySeq.unsafeWrapArray(rows)
  }

  def satisfies(residual: Int, joined: Array[Long]): Boolean = {
    val inputs = graph.residuals(residual)
    var i = 0
    while (i < windows.length) {
      checked(i) = if (Bits.contains(inputs, i)) windows(i).row(joined(i).toInt) else null
      i += 1
    }
    residuals(residual)(onChecked)
  }

  private val numbers = mutable.HashMap.empty[Any, Long]

  /** Small whole numbers are their own; other values are numbered as they come, and not forgotten. */
  def key(keyClass: Int, input: Int, joined: Array[Long]): Long =
    windows(input).row(joined(input).toInt)(graph.classes(keyClass).column(input)) match {
      case v: Int                                 => v.toLong
      case v: java.lang.Number if v == v.intValue => v.intValue.toLong
      case other                                  =>
        if (!numbers.contains(other)) numbers(other) = (1L << 32) + numbers.size
        numbers(other)
    }

  def reference(window: Int, row: Long): Long = windows(window).reference(row.toInt)

  def holds(window: Int, reference: Long): Boolean = windows(window).holds(reference)

  def departures(window: Int): Long = windows(window).departures

  def probe(window: Int, classes: Long, from: Array[Int]): Probe =
    if (Bits.contains(unindexed, window) && Bits.includes(unindexedClasses, classes))
      new Walk(window, classes, from)
    else new LookUp(window, classes, from)

  private abstract class Matching(window: Int, classes: Long, from: Array[Int]) extends Probe {
    protected val synopsis: Synopsis = windows(window)
    private val keys = Bits.members(classes).toArray
    private val own = keys.map(graph.classes(_).column(window))
    private val inputs = keys.map(from)
    private val theirs = keys.map(c => graph.classes(c).column(from(c)))
    private val nullSafe = keys.map(graph.classes(_).nullSafe)

    private def value(k: Int, joined: Array[Long]): Any =
      windows(inputs(k)).row(joined(inputs(k)).toInt)(theirs(k))

    protected def hash(joined: Array[Long]): Int = {
      var h = 0
      var k = 0
      while (k < keys.length) {
        h = 31 * h + value(k, joined).##
        k += 1
      }
      h
    }

    protected def matches(slot: Int, joined: Array[Long]): Boolean = {
      val row = synopsis.row(slot)
      rowsRead += 1
      var k = 0
      while (k < keys.length) {
        val v = row(own(k))
        if (v != value(k, joined) || v == null && !nullSafe(k)) return false
        k += 1
      }
      true
    }
  }

  private final class LookUp(window: Int, classes: Long, from: Array[Int])
      extends Matching(window, classes, from) {
    private val index = synopsis.index(classes)

    def first(joined: Array[Long]): Long = {
      lookUps += 1
      settle(index.first(hash(joined)), joined)
    }

    def next(row: Long, joined: Array[Long]): Long = settle(index.next(row.toInt), joined)

    private def settle(start: Int, joined: Array[Long]): Long = {
      var slot = start
      while (slot != HashChains.End && !matches(slot, joined)) slot = index.next(slot)
      slot.toLong
    }
  }

  private final class Walk(window: Int, classes: Long, from: Array[Int])
      extends Matching(window, classes, from) {
    def first(joined: Array[Long]): Long = {
      lookUps += 1
      settle(0, joined)
    }

    def next(row: Long, joined: Array[Long]): Long = settle(row.toInt + 1, joined)

    private def settle(start: Int, joined: Array[Long]): Long = {
      var slot = synopsis.scan(start)
      while (slot >= 0 && !matches(slot, joined)) slot = synopsis.scan(slot + 1)
      slot.toLong
    }
  }
}
