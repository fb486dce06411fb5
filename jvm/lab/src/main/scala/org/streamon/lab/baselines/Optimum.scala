package org.streamon.lab.baselines

import org.streamon.core.filters.Precedence
import org.streamon.core.joins.Bits

/** The exact best order, by dynamic programming over sets of filters: a set's tuples that survive do not
  * depend on the order within it. O(n 2^n) time and 2^n doubles, three times; n at most 20.
  */
object Optimum {

  val MaxFilters = 20

  /** The cheapest order that obeys the precedence.
    *
    * @throws IllegalArgumentException
    *   for more than 20 filters
    */
  def order(input: DropVectors, precedence: Precedence): Array[Int] = {
    val n = input.n
    require(n <= MaxFilters, s"n = $n: the exact optimum is for at most $MaxFilters filters")
    val sets = 1 << n
    val surviving = survivors(input)
    val guards = Array.tabulate(n)(q => Bits.of(precedence.guardsOf(q).members))
    val cost = Array.fill(sets)(Double.PositiveInfinity)
    val last = new Array[Int](sets)
    cost(0) = 0.0
    var set = 0
    while (set < sets) {
      if (!cost(set).isInfinite) {
        var q = 0
        while (q < n) {
          if ((set >>> q & 1) == 0 && Bits.includes(set.toLong, guards(q))) {
            val grown = set | 1 << q
            val total = cost(set) + input.times(q) * surviving(set)
            if (total < cost(grown)) {
              cost(grown) = total
              last(grown) = q
            }
          }
          q += 1
        }
      }
      set += 1
    }
    val order = new Array[Int](n)
    var rest = sets - 1
    var r = n - 1
    while (r >= 0) {
      order(r) = last(rest)
      rest &= ~(1 << order(r))
      r -= 1
    }
    order
  }

  /** What an order costs on this input. */
  def costOf(order: Array[Int], input: DropVectors): Double = input.costOf(order)

  /** For each set, the weight of the tuples that none of it drops: sums over the subsets of its complement.
    */
  private def survivors(input: DropVectors): Array[Double] = {
    val size = 1 << input.n
    val within = new Array[Double](size)
    input.vectors.indices.foreach(k => within(input.vectors(k).toInt) += input.weights(k))
    var q = 0
    while (q < input.n) {
      var set = 0
      while (set < size) {
        if ((set >>> q & 1) != 0) within(set) += within(set ^ 1 << q)
        set += 1
      }
      q += 1
    }
    Array.tabulate(size)(set => within(~set & size - 1))
  }
}
