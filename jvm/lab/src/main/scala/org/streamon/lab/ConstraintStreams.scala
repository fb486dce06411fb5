package org.streamon.lab

import java.util.SplittableRandom
import org.streamon.lab.baselines.constraints.{DirectedJoinGraph, ManyOne}
import scala.collection.mutable

/** A tuple of the streams of Chapter 6. */
private[lab] final class Arriving(val input: Int, val row: Array[Long], val passes: Boolean)

/** The join graphs of Figure 6.9 and their streams, three columns of 8 bytes each. Every child joins with as
  * many parent tuples as its parent's rate is times its own, on the mean.
  */
private[lab] object ConstraintStreams {

  /** S1 -> S2 on A and S1 -> S3 on B. */
  val graphA = new DirectedJoinGraph(3, Vector(ManyOne(0, 0, 1, 0), ManyOne(0, 1, 2, 0)))

  /** S1 -> S3 <- S2, on A. */
  val graphB = new DirectedJoinGraph(3, Vector(ManyOne(0, 0, 2, 0), ManyOne(1, 0, 2, 0)))

  /** S1 -> S2 on A. */
  val graphC = new DirectedJoinGraph(2, Vector(ManyOne(0, 0, 1, 0)))

  /** How far data are from the ideal at a share of the run, 0 to 1, in tuples. */
  type Course = Double => Double

  def constant(k: Double): Course = _ => k

  /** Puts what was drawn with a time in sequence; the drawing breaks ties. */
  private final class Timed {
    private val times = mutable.ArrayBuilder.make[Double]
    private val all = mutable.ArrayBuilder.make[Arriving]

    def add(time: Double, arriving: Arriving): Unit = {
      times += time
      all += arriving
    }

    def first(count: Int): Array[Arriving] = {
      val (t, a) = (times.result(), all.result())
      t.indices.toArray.sortBy(t(_)).take(count).map(a(_))
    }
  }

  /** (a), 5:1:1: a tuple of S1 comes up to k arrivals of S2 before its child there, and likewise of S3. */
  def rids(count: Int, k: Course, random: SplittableRandom): Array[Arriving] = {
    val out = mutable.ArrayBuilder.make[Arriving]
    for (c <- 0 until count / 7) {
      for (child <- 1 to 2) out += new Arriving(child, Array(c.toLong, 0L, 0L), random.nextBoolean())
      for (_ <- 0 until 5) {
        val now = k(7.0 * c / count)
        def key() = c + (random.nextDouble() * (now + 1)).toLong
        out += new Arriving(0, Array(key(), key(), 0L), passes = true)
      }
    }
    out.result()
  }

  /** (b), 5:5:1: a child, and from then on within up to k arrivals of each parent its tuples there. That
    * bound is uniform in [0, k] for each value. So the parents are nearly clustered, and nearly sorted.
    */
  def drifting(count: Int, k: Course, random: SplittableRandom): Array[Arriving] = {
    val timed = new Timed
    for (v <- 0 until count / 11 + 1) {
      timed.add(5.0 * v, new Arriving(2, Array(v.toLong, 0L, 0L), random.nextBoolean()))
      for (parent <- 0 to 1) {
        val bound = random.nextDouble() * k(11.0 * v / count)
        for (at <- Seq(0.0, 1.0) ++ Seq.fill(3)(random.nextDouble()))
          timed.add(5.0 * v + at * bound, new Arriving(parent, Array(v.toLong, 0L, 0L), passes = true))
      }
    }
    timed.first(count)
  }

  /** Values in ascending order but for delays of up to k arrivals, uniform in [0, k]. */
  private def scrambled(values: Array[Long], k: Double, random: SplittableRandom): Array[Long] = {
    val times = values.indices.map(at => at + random.nextDouble() * k).toArray
    values.indices.toArray.sortBy(times(_)).map(values(_))
  }

  /** (c), 5:1: S2.A is scrambled by up to k; tuples of S1 follow their child. */
  def scrambledChildren(count: Int, k: Double, random: SplittableRandom): Array[Arriving] =
    scrambled(Array.range(0, count / 6).map(_.toLong), k, random).flatMap { v =>
      new Arriving(1, Array(v, 0L, 0L), random.nextBoolean()) +:
        Array.fill(5)(new Arriving(0, Array(v, 0L, 0L), passes = true))
    }

  /** (a), 5:1:1: S1.A in runs, S3.B scrambled by up to k; a quarter of S1 has no child in S3, the others
    * follow it.
    */
  def runsAndScrambled(count: Int, k: Double, random: SplittableRandom): Array[Arriving] = {
    val rounds = count / 7
    val present = Iterator.from(0).filter(_ % 4 != 3).take(rounds).map(_.toLong).toArray
    scrambled(present, k, random).zipWithIndex.flatMap { case (b, c) =>
      val children = Array(
        new Arriving(1, Array(c.toLong, 0L, 0L), random.nextBoolean()),
        new Arriving(2, Array(b, 0L, 0L), random.nextBoolean())
      )
      children ++ Array.fill(5) {
        val key = if (random.nextInt(4) == 0) b | 3L else b
        new Arriving(0, Array(c.toLong, key, 0L), passes = true)
      }
    }
  }

  /** (c), 2:1, a tenth of S2 passes: the two tuples of a value come within `clustering` arrivals of S1, and
    * its child up to k arrivals of S2 after the first.
    */
  def clusteredAndLate(
      count: Int,
      clustering: Double,
      k: Double,
      random: SplittableRandom
  ): Array[Arriving] = {
    val timed = new Timed
    for (v <- 0 until count / 3 + 1) {
      val bound = random.nextDouble() * clustering
      timed.add(2.0 * v, new Arriving(0, Array(v.toLong, 0L, 0L), passes = true))
      val second = 2.0 * v + random.nextDouble() * bound
      timed.add(second, new Arriving(0, Array(v.toLong, 0L, 0L), passes = true))
      val late = 2.0 * v + 2.0 * random.nextDouble() * k
      timed.add(
        if (k == 0) 2.0 * v - 1 else late,
        new Arriving(1, Array(v.toLong, 0L, 0L), random.nextInt(10) == 0)
      )
    }
    timed.first(count)
  }
}
