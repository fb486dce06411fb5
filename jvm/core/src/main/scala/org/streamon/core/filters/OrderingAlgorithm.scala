package org.streamon.core.filters

import org.streamon.core.loop.Reoptimizer

/** An algorithm that orders n commutative filters by profile tuples (thesis, Chapter 4): what is profiled and
  * what follows from it belong together in each of them. Not thread-safe.
  *
  * @param initialOrder
  *   filters by position; repaired where it breaks the precedence
  * @param precedence
  *   guards to obey from the start; copied
  */
abstract class OrderingAlgorithm(n: Int, initialOrder: Array[Int], precedence: Precedence)
    extends FilterProfiler
    with Reoptimizer[Array[Int]] {
  require(precedence.n == n, s"precedence over ${precedence.n} filters: expected $n")
  Orders.requirePermutation(initialOrder, n)

  protected val guards: Precedence = precedence.copy()
  private var current = guards.repair(initialOrder)
  protected val positions: Array[Int] = new Array[Int](n)
  invert()

  /** Filters by position. */
  final def plan: Array[Int] = current

  /** One turn of the loop: takes in a profile tuple and restores the invariant. True when the order has
    * changed.
    */
  final def observe(tuple: ProfileTuple): Boolean = {
    offer(tuple)
    reoptimize()
  }

  /** Demands that `guard` stays before `guarded` from now on. False, and no effect, when that would close a
    * cycle. The order is repaired at once.
    */
  def precede(guard: Int, guarded: Int): Boolean = {
    val accepted = guards.add(guard, guarded)
    if (accepted && !guards.obeyedBy(current)) {
      install(guards.repair(current))
      repaired()
    }
    accepted
  }

  /** Called after `precede` has changed the order. */
  protected def repaired(): Unit

  protected final def install(next: Array[Int]): Unit = {
    current = next
    invert()
  }

  /** The next position after `after` whose filter no filter in `dropped` guards; n when there is none. */
  protected final def nextUnguarded(after: Int, dropped: FilterSet): Int = {
    var r = after + 1
    while (r < n && guards.guardsOf(current(r)).intersects(dropped)) r += 1
    r
  }

  /** Whether filter q may stand at position r of the order: its guards are all at earlier ones. */
  protected final def mayStandAt(r: Int, q: Int): Boolean = {
    val needed = guards.guardsOf(q)
    var guard = needed.next(0)
    while (guard >= 0 && positions(guard) < r) guard = needed.next(guard + 1)
    guard < 0
  }

  private def invert(): Unit = {
    var r = 0
    while (r < n) {
      positions(current(r)) = r
      r += 1
    }
  }
}
