package org.streamon.core.filters

/** Which filters must come before which: guard edges between n filters, kept transitive and free of cycles.
  * The logical filters of a join need none: A-Greedy orders them freely, and the path of each is kept when
  * the pipeline is derived from the order (thesis, Section 5.2).
  *
  * @param n
  *   number of filters, 1 or more
  */
final class Precedence(val n: Int) {
  require(n >= 1, s"n = $n: expected 1 filter or more")

  private val guards = Array.fill(n)(new FilterSet(n))

  /** The filters that must come before q, whether directly or by way of others. Not to be changed. */
  def guardsOf(q: Int): FilterSet = guards(q)

  /** Whether q may be placed (or evaluated) when the filters in `placed` have been. */
  def allows(q: Int, placed: FilterSet): Boolean = guards(q).isSubsetOf(placed)

  /** Demands that `guard` comes before `guarded`. False, and no effect, when that would close a cycle. */
  def add(guard: Int, guarded: Int): Boolean =
    if (guard == guarded || guards(guard).contains(guarded)) false
    else {
      val inherited = guards(guard).copy()
      inherited.add(guard)
      var q = 0
      while (q < n) {
        if (q == guarded || guards(q).contains(guarded)) guards(q).addAll(inherited)
        q += 1
      }
      true
    }

  def obeyedBy(order: Array[Int]): Boolean = {
    val placed = new FilterSet(n)
    order.forall { q =>
      val allowed = allows(q, placed)
      placed.add(q)
      allowed
    }
  }

  /** The stable order nearest the given one that obeys the guards: at each position the earliest filter of
    * `order` whose guards have all come. Always a new array.
    */
  def repair(order: Array[Int]): Array[Int] = {
    val repaired = new Array[Int](n)
    val placed = new FilterSet(n)
    var r = 0
    while (r < n) {
      val earliest = order.indexWhere(q => !placed.contains(q) && allows(q, placed))
      repaired(r) = order(earliest)
      placed.add(order(earliest))
      r += 1
    }
    repaired
  }

  def copy(): Precedence = {
    val other = new Precedence(n)
    for (q <- 0 until n) other.guards(q).set(guards(q))
    other
  }
}

object Precedence {

  /** Guards given as (guard, guarded).
    *
    * @throws IllegalArgumentException
    *   when they close a cycle
    */
  def of(n: Int, edges: (Int, Int)*): Precedence = {
    val precedence = new Precedence(n)
    edges.foreach { case (guard, guarded) =>
      require(precedence.add(guard, guarded), s"guard $guard -> $guarded closes a cycle; leave it out")
    }
    precedence
  }
}
