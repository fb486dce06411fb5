package org.streamon.core.filters

/** Which filters must come before which: guard edges between n filters, kept transitive and free of cycles.
  * The guards of filter q are a set of bits. The logical filters of a join need none: A-Greedy orders them
  * freely, and the path of each is kept when the pipeline is derived from the order (thesis, Section 5.2).
  *
  * @param n
  *   number of filters, 1 to 64
  */
final class Precedence(val n: Int) {
  require(n >= 1 && n <= 64, s"n = $n: allowed are 1 to 64 filters")

  private val guards = new Array[Long](n)

  /** The filters that must come before q, whether directly or by way of others. */
  def guardsOf(q: Int): Long = guards(q)

  /** Whether q may be placed (or evaluated) when the filters in `placed` have been. */
  def allows(q: Int, placed: Long): Boolean = (guards(q) & ~placed) == 0L

  /** Demands that `guard` comes before `guarded`. False, and no effect, when that would close a cycle. */
  def add(guard: Int, guarded: Int): Boolean =
    if (guard == guarded || (guards(guard) >>> guarded & 1L) != 0L) false
    else {
      val inherited = guards(guard) | 1L << guard
      var q = 0
      while (q < n) {
        if (q == guarded || (guards(q) >>> guarded & 1L) != 0L) guards(q) |= inherited
        q += 1
      }
      true
    }

  def obeyedBy(order: Array[Int]): Boolean = {
    var placed = 0L
    order.forall { q =>
      val allowed = allows(q, placed)
      placed |= 1L << q
      allowed
    }
  }

  /** The stable order nearest the given one that obeys the guards: at each position the earliest filter of
    * `order` whose guards have all come. Always a new array.
    */
  def repair(order: Array[Int]): Array[Int] = {
    val repaired = new Array[Int](n)
    var placed = 0L
    var r = 0
    while (r < n) {
      val earliest = order.indexWhere(q => (placed >>> q & 1L) == 0L && allows(q, placed))
      repaired(r) = order(earliest)
      placed |= 1L << order(earliest)
      r += 1
    }
    repaired
  }

  def copy(): Precedence = {
    val other = new Precedence(n)
    System.arraycopy(guards, 0, other.guards, 0, n)
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
