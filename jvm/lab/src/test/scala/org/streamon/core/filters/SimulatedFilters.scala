package org.streamon.core.filters

import org.streamon.lab.baselines.PipelinedFilters
import java.util.SplittableRandom
import java.util.function.Predicate

import scala.collection.immutable.BitSet

/** An Executor over tuples that are the sets of filters that drop them, by a clock that each evaluation of
  * filter q moves on by `times(q)`.
  */
final class SimulatedFilters(
    reoptimizer: OrderingAlgorithm,
    times: Array[Long],
    probability: Double = 1.0,
    seed: Long = 1
) {
  private var now = 0L
  private val filters = Array.tabulate[Predicate[BitSet]](times.length)(q =>
    drops => {
      now += times(q)
      !drops(q)
    }
  )
  val executor = new PipelinedFilters[BitSet](
    filters,
    reoptimizer,
    new DropProfiling(new SplittableRandom(seed), probability),
    () => now
  )

  /** Tuples by their drop vectors: the filters that drop each, a bit each. */
  def process(vectors: Long*): Unit = vectors.foreach(v => executor.process(BitSet.fromBitMask(Array(v))))
}

object SimulatedFilters {

  /** A drop vector as the thesis writes it, F1 first. */
  def vector(text: String): Long = text.zipWithIndex.collect { case ('1', q) => 1L << q }.sum

  def uniform(n: Int): Array[Long] = Array.fill(n)(1L)

  /** An order as the thesis writes it: filters from 1. */
  def named(order: Array[Int]): Seq[Int] = order.toSeq.map(_ + 1)
}
