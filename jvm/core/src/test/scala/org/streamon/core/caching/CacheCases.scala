package org.streamon.core.caching

import java.util.SplittableRandom
import org.streamon.core.caching.CacheSelection.Choice
import org.streamon.core.joins._

/** Candidates at random, with costs. */
object CacheCases {

  /** The only one to use a memory of so many bytes. */
  def share(bytes: Long): CacheMemory#Share = {
    val memory = new CacheMemory(bytes)
    new memory.Share(() => ())
  }

  /** A cache under the prefix invariant of successive windows, from the position given on. */
  def candidate(pipeline: Int, from: Int, windows: Int*): Candidate =
    Candidate(pipeline, from, from + windows.size - 1, windows.toVector, 0L, 1L, Bits.of(windows))

  /** Pipelines for one key class that join the inputs as some tree does: each subtree can be cached in the
    * pipelines of all other inputs.
    */
  def treeOrders(n: Int, random: SplittableRandom): IndexedSeq[Array[Int]] = {
    def split(inputs: Vector[Int]): Map[Int, Vector[Int]] =
      if (inputs.size == 1) Map(inputs.head -> Vector())
      else {
        val (left, right) = inputs.splitAt(1 + random.nextInt(inputs.size - 1))
        val (l, r) = (split(left), split(right))
        l.map { case (i, first) => i -> (first ++ whole(r)) } ++
          r.map { case (i, first) => i -> (first ++ whole(l)) }
      }
    def whole(subtree: Map[Int, Vector[Int]]) = {
      val (i, rest) = subtree.minBy(_._1)
      i +: rest
    }
    val orders = split((0 until n).map(random.nextInt() -> _).sortBy(_._1).map(_._2).toVector)
    (0 until n).map(orders(_).toArray)
  }

  /** What operators cost, by pipeline and position, and candidates that share content with these costs. */
  final case class Instance(operators: (Int, Int) => Double, choices: Seq[Choice]) {

    /** Of a plan, in all: operators that are not covered, processing and maintenance of caches. */
    def total(chosen: Seq[Choice], n: Int): Double = {
      val without = for (i <- 0 until n; p <- 0 until n - 1) yield operators(i, p)
      without.sum - CacheSelection.net(chosen)
    }
  }

  /** Where nothing asks what is left to save. */
  def costs(benefit: Double, cost: Double): CacheCosts = CacheCosts(benefit, cost, rest = 0)

  def shared(n: Int, random: SplittableRandom): Instance = {
    val graph = new JoinGraph(n, JoinCases.oneKey(n))
    val operators = Array.fill(n, n - 1)(10 * random.nextDouble())
    val candidates = new Candidates(graph, treeOrders(n, random)).prefix
    val maintenance = candidates.map(_.content).distinct.map(_ -> 10 * random.nextDouble()).toMap
    val choices = candidates.map { c =>
      val segment = (c.from to c.to).map(operators(c.pipeline)(_)).sum
      Choice(c, costs(segment * (1.0 - 1.2 * random.nextDouble()), maintenance(c.content)))
    }
    Instance((i, p) => operators(i)(p), choices)
  }
}
