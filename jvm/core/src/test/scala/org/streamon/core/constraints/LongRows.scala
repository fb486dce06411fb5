package org.streamon.core.constraints

import scala.collection.mutable
import scala.collection.mutable.ArrayBuffer

/** Rows that are nothing but their keys. */
final class LongRows(keys: JoinKeys) extends JoinRows {
  private final class Row {
    val groups: Array[KeyRows] = new Array[KeyRows](keys.dimensions)
    val nexts: Array[Int] = new Array[Int](keys.dimensions)
  }

  private val rows = Array.fill(keys.size)(ArrayBuffer.empty[Option[Row]])
  private val groups = Array.fill(keys.dimensions)(mutable.LongMap.empty[KeyRows])

  /** Inputs whose rows are not here. */
  val elsewhere: mutable.Set[Int] = mutable.Set.empty

  /** The group of a key, made if there is none. */
  def group(dimension: Int, key: Long): KeyRows =
    groups(dimension).getOrElseUpdate(key, new KeyRows(keys.size, key))

  /** Adds a row, with a key for each dimension of its input; its slot. */
  def add(input: Int, own: Long*): Int = {
    val (row, slot) = (new Row, rows(input).size)
    for ((d, key) <- keys.dimensionsOf(input).zip(own)) {
      row.groups(d) = group(d, key)
      row.nexts(d) = row.groups(d).heads(input)
      row.groups(d).heads(input) = slot
    }
    rows(input) += Some(row)
    slot
  }

  /** Takes out a row that is the newest of its keys. */
  def remove(input: Int, slot: Int): Unit = {
    for (row <- rows(input)(slot); d <- keys.dimensionsOf(input)) row.groups(d).heads(input) = row.nexts(d)
    rows(input)(slot) = None
  }

  override def hasInMemory(input: Int): Boolean = !elsewhere(input)
  override def isUsed(input: Int, slot: Int): Boolean = rows(input)(slot).nonEmpty
  override def rowsOf(input: Int, dimension: Int, slot: Int): KeyRows =
    rows(input)(slot).get.groups(dimension)
  override def next(input: Int, dimension: Int, slot: Int): Int = rows(input)(slot).get.nexts(dimension)
  override def find(dimension: Int, code: Long): KeyRows =
    groups(dimension).get(code).filterNot(_.isEmpty).orNull
  override def foreachKey(dimension: Int)(each: KeyRows => Unit): Unit =
    groups(dimension).values.filterNot(_.isEmpty).foreach(each)
}
