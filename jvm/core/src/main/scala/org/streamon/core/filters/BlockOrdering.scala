package org.streamon.core.filters

/** Orders filters of which some, the block, are evaluated together: nothing comes between them, and a tuple
  * pays once for the way to them. One algorithm orders the block as a single filter among the others. Another
  * one orders the filters of the block, by the tuples that reach it. Not in the thesis, whose filters all
  * stand by themselves.
  *
  * It takes tuples that all filters have evaluated, apart from those that a guard keeps from a filter. Each
  * algorithm is told of what it asks for.
  *
  * @param free
  *   how many filters are not in the block, which has the others: from `free` to n - 1
  * @param initialOrder
  *   filters by position; the block stands where its first filter stands
  * @param precedence
  *   guards to obey from the start
  * @param make
  *   an algorithm for so many filters, from an order and guards
  */
final class BlockOrdering(
    n: Int,
    free: Int,
    initialOrder: Array[Int],
    precedence: Precedence,
    make: (Int, Array[Int], Precedence) => OrderingAlgorithm
) extends OrderingAlgorithm(n, initialOrder, new Precedence(n)) {
  require(free >= 0 && free < n, s"free = $free of $n filters: allowed is 0 to ${n - 1}")

  private val outer = make(free + 1, initialOrder.map(math.min(_, free)).distinct, new Precedence(free + 1))
  private val inner = make(n - free, initialOrder.filter(_ >= free).map(_ - free), new Precedence(n - free))
  private val whole = new CompleteProfile(free + 1)
  private val within = new CompleteProfile(n - free)
  for (q <- 0 until n; guard <- precedence.guardsOf(q).members) precede(guard, q)
  adopt()

  def name: String = outer.name

  override def profiles: Boolean = outer.profiles

  /** All of them: each algorithm takes what it asks for. */
  def nextPosition(dropPosition: Int, after: Int, dropped: FilterSet): Int = after + 1

  def offer(tuple: ProfileTuple): Unit = {
    split(tuple.dropped, whole.all.dropped, within.all.dropped)
    split(tuple.evaluated, whole.all.evaluated, within.all.evaluated)
    whole.all.evaluated.add(free)
    System.arraycopy(tuple.nanos, free, within.all.nanos, 0, n - free)
    System.arraycopy(tuple.nanos, 0, whole.all.nanos, 0, free)
    whole.all.nanos(free) = tuple.blockNanos + within.all.nanosInTurn(inner.plan)

    if (reachesBlock(tuple)) within.offerTo(inner)
    whole.offerTo(outer)
  }

  /** Tells the filters of the block, which count from 0 among themselves, from the others, among which the
    * block is one filter.
    */
  private def split(filters: FilterSet, outside: FilterSet, inside: FilterSet): Unit = {
    outside.clear()
    inside.clear()
    var q = filters.next(0)
    while (q >= 0) {
      outside.add(math.min(q, free))
      if (q >= free) inside.add(q - free)
      q = filters.next(q + 1)
    }
  }

  private def reachesBlock(tuple: ProfileTuple): Boolean = {
    val order = outer.plan
    var r = 0
    while (order(r) != free && !tuple.dropped.contains(order(r))) r += 1
    order(r) == free
  }

  def reoptimize(): Boolean = {
    outer.reoptimize()
    inner.reoptimize()
    adopt()
  }

  def meanNanos(q: Int): Double = if (q < free) outer.meanNanos(q) else inner.meanNanos(q - free)

  def dropRate(q: Int): Double = if (q < free) outer.dropRate(q) else inner.dropRate(q - free)

  override def precede(guard: Int, guarded: Int): Boolean = {
    val accepted =
      if (guard >= free && guarded >= free) inner.precede(guard - free, guarded - free)
      else outer.precede(math.min(guard, free), math.min(guarded, free))
    adopt()
    accepted
  }

  protected def repaired(): Unit = ()

  /** Puts the two orders together. Whether the whole has changed. */
  private def adopt(): Boolean = {
    val next = outer.plan.flatMap(q => if (q == free) inner.plan.map(_ + free) else Array(q))
    val changed = !next.sameElements(plan)
    if (changed) install(next)
    changed
  }
}
