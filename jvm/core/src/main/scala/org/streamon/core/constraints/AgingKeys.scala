package org.streamon.core.constraints

import java.util.function.LongPredicate

/** Keys whose age grows with the arrivals of a stream, and that ''close'' when they pass k: this is what
  * RIDS(k) and CA(k) are used and watched by. The thesis keeps marks in each waiting tuple (Section 6.6.2)
  * and a list ordered by C,,v,, (6.7.2). Here one mark stands for all tuples of a key, which closes later
  * ones no later than their own would, and a heap by the next moment that something may happen takes the
  * place of the list, since it is in order after each change without a walk past equals.
  *
  * A closed key stays to be watched: for certain up to `watched`, and if its hash says so up to the horizon.
  * Keys whose arrivals make them younger go on being watched while they come.
  *
  * @param reach
  *   0 where an arrival of the key itself makes it older first, 1 where it does not: a key closes when its
  *   next arrival would find it older than k, that is when its age is k and this more
  */
private[constraints] final class AgingKeys(adherence: Adherence, reach: Int) {
  import AgingKeys._

  private val slots = new KeySlots(reoccurring = reach > 0)
  private val due = new LongHeap
  private var closings = new Array[Long](16)
  private var waiting, retained = 0

  /** Arrivals so far. */
  var count: Long = 0L

  def size: Int = slots.size

  /** Of them those that are not there for their hash alone. */
  def pending: Int = size - retained

  /** Keys closed but held back: `closing` did not let them. */
  def held: Int = waiting

  /** Of the keys that are here. */
  def bytes: Long = slots.bytes + due.bytes

  /** Of the arrays. */
  def memoryBytes: Long = slots.memoryBytes + 8L * closings.length + due.memoryBytes

  /** -1 when it is not here. */
  def find(key: Long): Int = slots.find(key)

  def age(slot: Int): Long = count - slots.base(slot)

  /** Arrivals since it came first, its own among them. */
  def extent(slot: Int): Long = count - slots.first(slot)

  def isClosed(slot: Int): Boolean = slots.phase(slot) != Open

  /** Adds a key of age 0. */
  def add(key: Long): Int = add(key, 0L)

  /** Adds a key of some age, or of as many arrivals as there are. */
  def add(key: Long, age: Long): Int = {
    val base = math.max(count - age, 0L)
    add(key, base, base, base, Open)
  }

  /** An arrival of a key that makes it younger by that. */
  def rejuvenate(slot: Int): Unit = slots.reoccurs(slot, count)

  def remove(slot: Int): Unit = {
    if (slots.phase(slot) == Held) waiting -= 1
    if (slots.phase(slot) == Kept) retained -= 1
    slots.remove(slot)
    // What the heap has of it is skipped when due.
    if (due.size > 2 * size + 64) reschedule()
  }

  /** Closes what is due. Keys that are due at once are taken in their own order, so that the same are closed
    * whatever the heap was made from. None of them is let go of before the next call: until then they are
    * known to be closed.
    *
    * @param closing
    *   of a key; false holds it back until `release`
    */
  def close(closing: LongPredicate): Unit = {
    closeReady(closing)
    if (slots.isSparse) {
      slots.pack()
      reschedule()
    }
    if (closings.length > ClosingsKept) closings = new Array[Long](16)
  }

  private def closeReady(closing: LongPredicate): Unit = {
    val ready = takeReady()
    if (ready > 1) java.util.Arrays.sort(closings, 0, ready)
    var k = 0
    while (k < ready) {
      val slot = find(closings(k))
      if (slot != End && slots.phase(slot) == Open)
        if (isDue(slot)) settle(slot, closing) else schedule(slot, Open)
      k += 1
    }
  }

  /** Lets what is due go on, but for keys that are to be closed; how many of these there are. */
  private def takeReady(): Int = {
    var ready = 0
    while (due.least <= count) {
      val slot = due.pop()
      val phase = slots.phase(slot)
      if (isScheduled(slot)) {
        if (next(slot) > count) due.push(next(slot), slot)
        else if (phase == Open && isDue(slot)) {
          if (ready == closings.length) closings = java.util.Arrays.copyOf(closings, 2 * ready)
          closings(ready) = slots.key(slot)
          ready += 1
        } else if (phase == Closed && kept(slot)) schedule(slot, Kept)
        else remove(slot)
      }
    }
    ready
  }

  /** Closes a key that was held back, if it may now. */
  def release(slot: Int, closing: LongPredicate): Unit = if (slots.phase(slot) == Held) {
    waiting -= 1
    if (isDue(slot)) settle(slot, closing) else schedule(slot, Open)
  }

  /** Opens what has closed: it is closed anew when that is due. */
  def reopen(): Unit = {
    var slot = 0
    while (slot < slots.end) {
      if (slots.phase(slot) != Free) slots.become(slot, Open)
      slot += 1
    }
    waiting = 0
    retained = 0
  }

  /** Settles anew when something is due next: after k has become less. */
  def reschedule(): Unit = {
    due.clear()
    var slot = 0
    while (slot < slots.end) {
      if (isScheduled(slot)) due.push(next(slot), slot)
      slot += 1
    }
  }

  def counters: Array[Long] = Array(count, slots.end.toLong)

  def hasChanged: Boolean = slots.hasChanged
  def changedPages(each: (Long, Array[Long]) => Unit): Unit = slots.changedPages(each)

  /** Into one that is empty.
    *
    * @param reopened
    *   whether keys that were closed are not
    */
  def restore(counters: Array[Long], page: Long => Array[Long], reopened: Boolean): Unit = {
    count = counters(0)
    slots.restore(counters(1).toInt, page)
    if (reopened) reopen()
    reschedule()
    var slot = 0
    while (slot < slots.end) {
      if (slots.phase(slot) == Held) waiting += 1
      if (slots.phase(slot) == Kept) retained += 1
      slot += 1
    }
  }

  /** The same of what a former version had: the count, and of each key itself, base and phase.
    *
    * @param renewed
    *   whether the base of each is where it came last, and nothing else is there: then it may have come from
    *   the beginning
    */
  def restoreFormer(state: Array[Long], reopened: Boolean, renewed: Boolean): Unit = {
    count = state(0)
    val each = if (renewed) 3 else 3 + 2 * reach
    for (at <- 1 until state.length by each) {
      val phase = if (reopened) Open else state(at + 2).toByte
      val base = state(at + 1)
      val (last, first) =
        if (each > 3) (state(at + 3), state(at + 4)) else (base, if (renewed) 0L else base)
      add(state(at), base, last, first, phase)
    }
  }

  private def add(key: Long, base: Long, last: Long, first: Long, phase: Byte): Int = {
    val slot = slots.add(key, base, last, first, phase)
    if (phase == Held) waiting += 1 else schedule(slot, phase)
    slot
  }

  private def settle(slot: Int, closing: LongPredicate): Unit =
    if (!adherence.giveUp(age(slot))) schedule(slot, Open)
    else {
      slots.become(slot, Closed)
      if (closing.test(slots.key(slot))) schedule(slot, Closed)
      else {
        slots.become(slot, Held)
        waiting += 1
      }
    }

  private def schedule(slot: Int, phase: Byte): Unit = {
    slots.become(slot, phase)
    if (phase == Kept) retained += 1
    due.push(next(slot), slot)
  }

  private def isScheduled(slot: Int) = slots.phase(slot) != Free && slots.phase(slot) != Held

  private def isDue(slot: Int) = adherence.usable && age(slot) >= adherence.k + reach

  private def kept(slot: Int) = keeps(slots.key(slot), slots.base(slot))

  /** Whether a key of age 0 will be watched beyond `watched`. */
  def keeps(key: Long): Boolean = keeps(key, count)

  private def keeps(key: Long, base: Long) =
    MonitorSettings.sampled(key ^ base << 32, adherence.settings.retention)

  /** When the key will have the age, or will not have come for so long, that something happens to it. */
  private def next(slot: Int): Long = {
    val limit =
      if (slots.phase(slot) == Open && adherence.usable) adherence.k
      else if (slots.phase(slot) == Closed) adherence.watched
      else Infinite
    math.min(after(slots.base(slot), limit), after(slots.last(slot), adherence.settings.horizon))
  }

  private def after(mark: Long, arrivals: Long) =
    if (arrivals >= Infinite - mark - reach) Infinite else mark + arrivals + reach
}

private[constraints] object AgingKeys {

  /** Keys that close at once whose array is kept. */
  private val ClosingsKept = 1024

  private val Free = KeySlots.Free
  private val Open: Byte = 1
  private val Closed: Byte = 2
  private val Kept: Byte = 3
  private val Held: Byte = 4
}
