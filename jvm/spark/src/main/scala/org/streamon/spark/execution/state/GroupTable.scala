package org.streamon.spark.execution.state

import org.streamon.core.joins.Mixer

import org.apache.spark.sql.catalyst.expressions.UnsafeRow

/** The groups of one dimension by their keys, and by the numbers of these: open addressing with linear
  * probing.
  */
final class GroupTable {
  import GroupTable.place

  private var groups = new Array[KeyGroup](16)
  private var count = 0

  def size: Int = count

  /** The group of a key; null when there is none. */
  def find(key: UnsafeRow, code: Long): KeyGroup = {
    var at = place(code, groups.length)
    var group = groups(at)
    while (group != null && !(group.code == code && group.key == key)) {
      at = at + 1 & groups.length - 1
      group = groups(at)
    }
    group
  }

  /** A group whose key has this number; null when there is none. */
  def find(code: Long): KeyGroup = {
    var at = place(code, groups.length)
    var group = groups(at)
    while (group != null && group.code != code) {
      at = at + 1 & groups.length - 1
      group = groups(at)
    }
    group
  }

  /** Adds a group whose key has none. */
  def add(group: KeyGroup): Unit = {
    if (count * 3 >= groups.length * 2) {
      val old = groups
      groups = new Array[KeyGroup](2 * old.length)
      old.foreach(g => if (g != null) put(g))
    }
    put(group)
    count += 1
  }

  /** Takes out a group that is there. */
  def remove(group: KeyGroup): Unit = {
    var hole = place(group.code, groups.length)
    while (groups(hole) ne group) hole = hole + 1 & groups.length - 1
    // What lies behind moves up, unless it would be ahead of its place.
    var at = hole + 1 & groups.length - 1
    while (groups(at) != null) {
      val distance = at - place(groups(at).code, groups.length) & groups.length - 1
      if (distance >= (at - hole & groups.length - 1)) {
        groups(hole) = groups(at)
        hole = at
      }
      at = at + 1 & groups.length - 1
    }
    groups(hole) = null
    count -= 1
  }

  /** All groups; any may be removed meanwhile. */
  def foreach(each: KeyGroup => Unit): Unit = groups.clone.foreach(g => if (g != null) each(g))

  private def put(group: KeyGroup): Unit = {
    var at = place(group.code, groups.length)
    while (groups(at) != null) at = at + 1 & groups.length - 1
    groups(at) = group
  }
}

private object GroupTable {
  private def place(code: Long, length: Int): Int = Mixer.fibonacci(code).toInt & length - 1
}
