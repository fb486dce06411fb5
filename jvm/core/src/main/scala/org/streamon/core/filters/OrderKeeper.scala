package org.streamon.core.filters

/** What all algorithms share: an order that obeys its precedence, and the inverse of it. */
private[filters] abstract class OrderKeeper(n: Int, initialOrder: Array[Int], precedence: Precedence)
    extends Reoptimizer {
  require(precedence.n == n, s"precedence over ${precedence.n} filters: expected $n")
  Orders.requirePermutation(initialOrder, n)

  protected val guards: Precedence = precedence.copy()
  private var current = guards.repair(initialOrder)
  protected val positions: Array[Int] = new Array[Int](n)
  invert()

  final def order: Array[Int] = current

  override def precede(guard: Int, guarded: Int): Boolean = {
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
  protected final def nextUnguarded(after: Int, dropped: Long): Int = {
    var r = after + 1
    while (r < n && (guards.guardsOf(current(r)) & dropped) != 0L) r += 1
    r
  }

  private def invert(): Unit = {
    var r = 0
    while (r < n) {
      positions(current(r)) = r
      r += 1
    }
  }
}
