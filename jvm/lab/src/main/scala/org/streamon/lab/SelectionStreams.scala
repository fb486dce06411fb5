package org.streamon.lab

import java.util.SplittableRandom

/** Rows of integers, in place of the data of the paper.
  *
  * @param domains
  *   by attribute, how many values it has, from 0 on
  * @param next
  *   a row
  */
private[lab] final class SelectionStreams(
    val domains: IndexedSeq[Int],
    next: SplittableRandom => Array[Int]
) {
  def rows(count: Int, random: SplittableRandom): Array[Array[Int]] = Array.fill(count)(next(random))
}

private[lab] object SelectionStreams {
  private val Domain = 100

  /** Values are skewed to one end: three quarters of them are in two fifths of it. */
  private val Skew = 3.0

  /** Kinds of rows, where attributes depend on each other. */
  private val Kinds = 4

  private val Classes = 8

  /** D1: all values as often. */
  def uniform(n: Int): SelectionStreams =
    new SelectionStreams(Vector.fill(n)(Domain), random => Array.fill(n)(random.nextInt(Domain)))

  /** D1 with a first attribute that has a value for each topic alone. */
  def topics(n: Int, topics: Int): SelectionStreams = new SelectionStreams(
    Vector.fill(n)(Domain).updated(0, topics),
    random => Array.tabulate(n)(a => random.nextInt(if (a == 0) topics else Domain))
  )

  /** D2, which the paper calls non-uniform and says no more of. Each attribute is skewed to one of its ends,
    * and attributes are independent.
    */
  def skewed(n: Int, random: SplittableRandom): SelectionStreams = mixed(n, 1, random)

  /** D2 too, with rows of four kinds. Each attribute is skewed to one of its ends, in each kind by itself. So
    * the value of one attribute tells what others do.
    */
  def correlated(n: Int, random: SplittableRandom): SelectionStreams =
    mixed(n, Kinds, random)

  private def mixed(n: Int, kinds: Int, random: SplittableRandom): SelectionStreams = {
    val isHigh = Array.fill(kinds, n)(random.nextBoolean())
    new SelectionStreams(
      Vector.fill(n)(Domain),
      rows => {
        val kind = isHigh(rows.nextInt(kinds))
        Array.tabulate(n) { a =>
          val value = (Domain * math.pow(rows.nextDouble(), Skew)).toInt
          if (kind(a)) Domain - 1 - value else value
        }
      }
    )
  }

  /** In place of D3, the US Census: categories of 4 to 60 values an attribute, as often as Zipf's law says.
    * Rows are of eight classes, themselves by Zipf's law. Half of the attributes have the same ranks of
    * values in all classes, and the others have their own in each.
    */
  def categorical(n: Int, random: SplittableRandom): SelectionStreams = {
    val domains = Vector.fill(n)(4 + random.nextInt(57))
    val shared = domains.map(d => Shuffle(Array.range(0, d), random))
    val isShared = Shuffle(Array.tabulate(n)(_ % 2 == 0), random)
    val ranked = Vector.fill(Classes)(domains.indices.map { a =>
      if (isShared(a)) shared(a) else Shuffle(Array.range(0, domains(a)), random)
    })
    val ranks = domains.map(zipf)
    val classes = zipf(Classes)
    new SelectionStreams(
      domains,
      rows => {
        val of = ranked(draw(classes, rows))
        Array.tabulate(n)(a => of(a)(draw(ranks(a), rows)))
      }
    )
  }

  /** By rank, the share of this and all before. */
  private def zipf(size: Int): Array[Double] = {
    val sums = (1 to size).map(1.0 / _).scanLeft(0.0)(_ + _).tail
    sums.map(_ / sums.last).toArray
  }

  private def draw(cumulative: Array[Double], random: SplittableRandom): Int = {
    val at = java.util.Arrays.binarySearch(cumulative, random.nextDouble())
    math.min(if (at < 0) -at - 1 else at, cumulative.length - 1)
  }
}
