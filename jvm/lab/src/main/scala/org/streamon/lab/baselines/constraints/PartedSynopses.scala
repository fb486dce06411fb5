package org.streamon.lab.baselines.constraints

import org.streamon.core.constraints.NoValue

/** The parts of all inputs, and how tuples leave them: dead, or of no more use.
  *
  * @param eliminable
  *   by input, whether each join with a parent can tell that no more parents come
  */
private[constraints] final class PartedSynopses(
    graph: DirectedJoinGraph,
    parts: Array[Components],
    eliminable: Array[Boolean],
    edgeMonitors: Array[EdgeMonitors],
    sink: ResultSink,
    noComponents: NoComponents
) {
  private val generations =
    Array.tabulate(graph.n)(i => if (graph.isRoot(i)) new ResultGeneration(graph, i, parts) else null)

  /** By input, whether its Yes tuples are kept. One root alone needs none: nothing is joined with them. */
  private val keepsYes =
    Array.tabulate(graph.n)(i => !graph.isRoot(i) || !graph.singleRoot)

  private val toParents = graph.toParents.map(_.toArray).toArray
  private val toChildren = graph.toChildren.map(_.toArray).toArray
  private val everyParent = toParents.map(all => (1L << all.length) - 1)

  private val useless = Array.tabulate(graph.n)(i => eliminable(i) && graph.belowAllRoots(i))
  private val list = new SlotList

  /** Tuples that left Unknown while CA held their values back: by edge and value. */
  private val released = new SlotList

  /** By child, the part that the latest `verdict` found it in; not beyond one that is dead. */
  val childParts: Array[Byte] = new Array[Byte](graph.n)

  /** What the live tuple in a slot now is by its children: No when one is known to be dead. */
  def verdict(input: Int, slot: Int): Byte = {
    var found = Part.Yes
    var k = 0
    while (k < toChildren(input).length && found != Part.No) {
      val child = childPart(toChildren(input)(k), parts(input).key(slot, toChildren(input)(k)))
      childParts(k) = child
      if (child == Part.No) found = Part.No
      else if (child != Part.Yes) found = Part.Unknown
      k += 1
    }
    found
  }

  /** The part that a parent's join value has its child in: Free when there is none. */
  def childPart(edge: Int, key: Long): Byte = if (key == NoValue) Part.No
  else {
    val there = parts(graph.edges(edge).child)
    var found = Part.Free
    var slot = there.findLive(edge, key)
    while (slot != End && found != Part.Yes) {
      found = there.live.part(slot)
      slot = there.nextLive(edge, slot)
    }
    if (found == Part.Free && there.findNo(edge, key) != End) Part.No else found
  }

  def addUnknown(input: Int, slot: Int): Unit = {
    enter(input, slot, Part.Unknown)
    var k = 0
    while (k < toChildren(input).length) {
      val monitors = edgeMonitors(toChildren(input)(k))
      if (monitors.oap != null) monitors.unknown.add(parts(input).key(slot, toChildren(input)(k)))
      k += 1
    }
  }

  /** A tuple joins with all of G_S, which may let others above do so too (thesis, Algorithm 6.4.1). */
  def addYes(input: Int, slot: Int): Unit = {
    enterYes(input, slot, entered = false)
    list.clear()
    list.add(input, slot)
    var at = 0
    while (at < list.size) {
      val (i, s) = (list.first(at), list.second(at).toInt)
      var k = 0
      while (k < toParents(i).length) {
        val edge = toParents(i)(k)
        val parent = graph.edges(edge).parent
        val above = parts(parent)
        var r = above.findLive(edge, parts(i).key(s, edge))
        while (r != End) {
          val next = above.nextLive(edge, r)
          if (above.live.part(r) == Part.Unknown && verdict(parent, r) == Part.Yes) {
            if (enterYes(parent, r, entered = true)) list.add(parent, r)
          }
          r = next
        }
        k += 1
      }
      at += 1
    }
  }

  /** True when it is kept. */
  private def enterYes(input: Int, slot: Int, entered: Boolean): Boolean = {
    if (entered) leavesUnknown(input, slot)
    if (graph.isRoot(input)) generations(input).foreach(slot, sink)
    val keep = keepsYes(input)
    if (keep && entered) parts(input).live.part_=(slot, Part.Yes)
    else if (keep) enter(input, slot, Part.Yes)
    else if (entered) parts(input).removeLive(slot)
    else parts(input).live.free(slot)
    keep
  }

  /** A tuple never will join, and so none above that does with it (thesis, Algorithm 6.4.1).
    *
    * @param entered
    *   false for one that has a slot among the live ones but is none of them
    */
  def addNo(input: Int, slot: Int, entered: Boolean): Unit = {
    list.clear()
    list.add(input, slot)
    var at = 0
    while (at < list.size) {
      addAbove(list.first(at), list.second(at).toInt, entered || at > 0)
      at += 1
    }
    at = 0
    while (at < list.size) {
      bury(list.first(at), list.second(at).toInt, entered || at > 0)
      at += 1
    }
  }

  private def addAbove(input: Int, slot: Int, entered: Boolean): Unit = {
    var k = 0
    while (k < toParents(input).length) {
      val edge = toParents(input)(k)
      val key = parts(input).key(slot, edge)
      // Where a key has come again, those above may have the other tuple.
      if (!another(input, slot, edge, key, entered)) {
        val parent = graph.edges(edge).parent
        var r = parts(parent).findLive(edge, key)
        while (r != End) {
          list.add(parent, r)
          r = parts(parent).nextLive(edge, r)
        }
      }
      k += 1
    }
  }

  private def another(input: Int, slot: Int, edge: Int, key: Long, entered: Boolean): Boolean = {
    val first = parts(input).findLive(edge, key)
    first != End && (!entered || first != slot || parts(input).nextLive(edge, first) != End)
  }

  /** A tuple that is below two that share a key may have been buried by the first. */
  private def bury(input: Int, slot: Int, entered: Boolean): Unit = {
    val here = parts(input)
    if (!entered || here.live.part(slot) != Part.Free) {
      if (entered && here.live.part(slot) == Part.Unknown) leavesUnknown(input, slot)
      val ended = eliminable(input) && here.live.marks(slot) == everyParent(input)
      if (
        toParents(input).nonEmpty && !ended && noComponents.keeps(input, here.key(slot, toParents(input)(0)))
      ) {
        val dead = here.addNo(slot)
        if (eliminable(input)) ahead(input, dead, live = false)
      }
      if (entered) here.removeLive(slot) else here.live.free(slot)
    }
  }

  private def enter(input: Int, slot: Int, part: Byte): Unit = {
    parts(input).live.enter(slot, part)
    if (eliminable(input)) ahead(input, slot, live = true)
  }

  /** A child's values lie ahead of OAP's bounds, until they pass. */
  private def ahead(input: Int, slot: Int, live: Boolean): Unit = {
    var k = 0
    while (k < toParents(input).length) {
      val edge = toParents(input)(k)
      val monitors = edgeMonitors(edge)
      if (monitors.oap != null) {
        val here = parts(input)
        val key = if (live) here.key(slot, edge) else here.noKey(slot, edge)
        val heap = if (live) monitors.aheadLive else monitors.aheadNo
        if (key != NoValue) heap.push(key, 0)
        heap.compact((v, _) => (if (live) here.findLive(edge, v) else here.findNo(edge, v)) != End)
      }
      k += 1
    }
  }

  private def leavesUnknown(input: Int, slot: Int): Unit = {
    var k = 0
    while (k < toChildren(input).length) {
      val edge = toChildren(input)(k)
      val monitors = edgeMonitors(edge)
      val key = parts(input).key(slot, edge)
      if (monitors.oap != null) monitors.unknown.remove(key)
      if (monitors.ca != null && monitors.ca.hasHeldKeys) released.add(edge, key)
      k += 1
    }
  }

  /** Gives each edge and value that CA may close now. */
  def release(closing: (Int, Long) => Unit): Unit = {
    var at = 0
    while (at < released.size) {
      closing(released.first(at), released.second(at))
      at += 1
    }
    released.clear()
  }

  /** Whether a parent tuple in Unknown has a value: condition C2 of Theorem 6.7.1. */
  def hasUnknown(edge: Int, key: Long): Boolean = unknown(edge, key) != End

  /** A parent tuple in Unknown with a value. */
  def unknown(edge: Int, key: Long): Int = {
    val above = parts(graph.edges(edge).parent)
    var slot = above.findLive(edge, key)
    while (slot != End && above.live.part(slot) != Part.Unknown) slot = above.nextLive(edge, slot)
    slot
  }

  /** Parent tuples that wait for a child that never comes go to No; how many. */
  def neverComes(edge: Int, key: Long): Int = {
    var count = 0
    if (childPart(edge, key) == Part.Free) {
      var slot = unknown(edge, key)
      while (slot != End) {
        addNo(graph.edges(edge).parent, slot, entered = true)
        count += 1
        slot = unknown(edge, key)
      }
    }
    count
  }

  /** No more parents come with a value, by one edge: condition C3 of Theorem 6.7.1, enough for No tuples. */
  def endsForNo(edge: Int, key: Long): Unit = {
    val child = graph.edges(edge).child
    val here = parts(child)
    var slot = here.findNo(edge, key)
    while (slot != End) {
      val next = here.nextNo(edge, slot)
      here.no.mark(slot, bit(child, edge))
      if (here.no.marks(slot) == everyParent(child)) here.removeNo(slot)
      slot = next
    }
  }

  /** And none waits: C2 and C3. */
  def endsForLive(edge: Int, key: Long): Unit = {
    val child = graph.edges(edge).child
    val here = parts(child)
    var slot = here.findLive(edge, key)
    while (slot != End) {
      val next = here.nextLive(edge, slot)
      here.live.mark(slot, bit(child, edge))
      val all = useless(child) && here.live.marks(slot) == everyParent(child)
      if (all) eliminate(child, slot)
      slot = next
    }
  }

  /** Its parents are roots: in Yes, or in Unknown where a value has come again beyond its k. */
  private def eliminate(input: Int, slot: Int): Unit = {
    val here = parts(input)
    var k = 0
    while (k < toParents(input).length) {
      val edge = toParents(input)(k)
      val parent = graph.edges(edge).parent
      val above = parts(parent)
      val key = here.key(slot, edge)
      var r = above.findLive(edge, key)
      while (r != End) {
        if (above.live.part(r) == Part.Unknown) leavesUnknown(parent, r)
        above.removeLive(r)
        r = above.findLive(edge, key)
      }
      k += 1
    }
    if (here.live.part(slot) == Part.Unknown) leavesUnknown(input, slot)
    here.removeLive(slot)
  }

  private def bit(child: Int, edge: Int): Long = {
    var k = 0
    while (toParents(child)(k) != edge) k += 1
    1L << k
  }

  def bytes: Long = {
    var sum = 0L
    var i = 0
    while (i < parts.length) {
      sum += parts(i).live.bytes + parts(i).noBytes
      i += 1
    }
    sum
  }
}

/** Which No tuples are kept. */
private[constraints] trait NoComponents {

  /** @param key
    *   that the tuple joins its first parent with
    */
  def keeps(input: Int, key: Long): Boolean
}
