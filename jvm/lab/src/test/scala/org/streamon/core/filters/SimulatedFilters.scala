package org.streamon.core.filters

import org.streamon.lab.baselines.PipelinedFilters
import java.util.SplittableRandom
import java.util.function.Predicate

/** An Executor over tuples that are their own drop vectors, by a clock that each evaluation of filter q moves
  * on by `times(q)`.
  */
final class SimulatedFilters(
    reoptimizer: OrderingAlgorithm,
    times: Array[Long],
    probability: Double = 1.0,
    seed: Long = 1
) {
  private var now = 0L
  private val filters = Array.tabulate[Predicate[Long]](times.length)(q =>
    vector => {
      now += times(q)
      (vector >>> q & 1L) == 0L
    }
  )
  val executor = new PipelinedFilters[Long](
    filters,
    reoptimizer,
    new DropProfiling(new SplittableRandom(seed), probability),
    () => now
  )

  def process(vectors: Long*): Unit = vectors.foreach(executor.process(_))
}

object SimulatedFilters {

  /** A drop vector as the thesis writes it, F1 first. */
  def vector(text: String): Long = text.zipWithIndex.collect { case ('1', q) => 1L << q }.sum

  def uniform(n: Int): Array[Long] = Array.fill(n)(1L)

  /** An order as the thesis writes it: filters from 1. */
  def named(order: Array[Int]): Seq[Int] = order.toSeq.map(_ + 1)
}
