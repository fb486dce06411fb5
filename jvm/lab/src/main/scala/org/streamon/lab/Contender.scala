package org.streamon.lab

import org.streamon.lab.baselines.{Optimum, PipelinedFilters}
import java.lang.management.ManagementFactory
import java.util.SplittableRandom
import java.util.function.{LongSupplier, Predicate}
import org.streamon.core.filters.{
  DropProfiling,
  Precedence,
  OrderingAlgorithm,
  OrderingAlgorithms,
  StaticOrder
}

/** One algorithm at work on the lab's filters.
  *
  * The clock that it profiles with is read as always, but what it is told is the probes done, at a fixed time
  * for each: so its decisions, and all counts, are the same on every machine.
  *
  * @param p
  *   drop-profiling probability
  */
final class Contender(
    val name: String,
    reoptimizer: OrderingAlgorithm,
    p: Double,
    cost: Array[Int],
    seed: Long
) {
  private val work = new Work
  private val clock: LongSupplier = () => {
    work.sink ^= System.nanoTime()
    work.probes * Contender.NanosPerProbe
  }
  private val random = new SplittableRandom(seed)
  private val filters =
    Array.tabulate[Predicate[StreamTuple]](cost.length)(q =>
      new HashProbe(q, cost(q), new HashIndex(random), work)
    )
  private val executor =
    new PipelinedFilters[StreamTuple](filters, reoptimizer, new DropProfiling(random, p), clock)
  private var next = 0
  private var from = Counts(0, 0, 0, 0, 0)
  private var cpu = 0L
  private var tuples = 0L

  def order: Array[Int] = reoptimizer.plan

  /** Processes `count` tuples, going round the pool. */
  def feed(pool: Array[StreamTuple], count: Int): Unit = {
    val start = Contender.cpuNanos()
    var k = 0
    while (k < count) {
      if (next >= pool.length) next = 0
      executor.process(pool(next))
      next += 1
      k += 1
    }
    cpu += Contender.cpuNanos() - start
    tuples += count
  }

  private def total: Counts = Counts(
    tuples,
    cost.indices.map(q => executor.evaluations(q) * cost(q)).sum,
    cost.indices.map(q => executor.artificial(q) * cost(q)).sum,
    executor.reorders,
    cpu
  )

  /** From here on `since` counts. */
  def mark(): Unit = from = total

  def since: Counts = total - from
}

/** What a contender did.
  *
  * @param inTurn
  *   probes of filters evaluated in turn: the work of the order itself
  * @param artificial
  *   probes of filters evaluated for profile tuples only: overhead
  * @param cpuNanos
  *   processor time
  */
final case class Counts(tuples: Long, inTurn: Long, artificial: Long, reorders: Long, cpuNanos: Long) {
  def -(o: Counts): Counts = Counts(
    tuples - o.tuples,
    inTurn - o.inTurn,
    artificial - o.artificial,
    reorders - o.reorders,
    cpuNanos - o.cpuNanos
  )

  def processing: Double = inTurn.toDouble / tuples
  def overhead: Double = artificial.toDouble / tuples
  def work: Double = processing + overhead
  def overheadShare: Double = overhead / work
  def rate: Double = tuples * 1e9 / cpuNanos
}

object Contender {
  val NanosPerProbe = 100L
  val Optimal = "optimal"

  private val threads = ManagementFactory.getThreadMXBean

  /** Processor time of this thread: what others do on the machine does not count. */
  def cpuNanos(): Long = threads.getCurrentThreadCpuTime

  /** A contender with the thesis's defaults (Table 4.1) that starts from a random order of its seed.
    * `optimal` holds the best order for the law.
    */
  def apply(
      algorithm: String,
      p: Double,
      filters: CorrelatedFilters,
      seed: Long,
      window: Int = OrderingAlgorithms.DefaultWindow
  ): Contender = {
    val free = new Precedence(filters.n)
    val reoptimizer =
      if (algorithm == Optimal)
        new StaticOrder(filters.n, Optimum.order(filters.law, free), free)
      else
        OrderingAlgorithms.create(
          algorithm,
          filters.n,
          Shuffle(Array.range(0, filters.n), new SplittableRandom(seed)),
          window,
          OrderingAlgorithms.DefaultThrashAvoidance,
          free
        )
    new Contender(algorithm, reoptimizer, p, filters.cost, seed)
  }

  /** Table 4.1; that of LocalSwaps is not given. */
  def defaultProbability(algorithm: String): Double = if (algorithm == "independent") 0.005 else 0.01
}
