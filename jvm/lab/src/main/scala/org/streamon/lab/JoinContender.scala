package org.streamon.lab

import org.streamon.lab.baselines.{InMemorySynopses, MJoin}
import java.util.SplittableRandom
import java.util.function.LongSupplier
import org.streamon.core.caching.{CacheMemory, CacheReport, CacheSettings, JoinCaches}
import org.streamon.core.joins.{JoinGraph, PipelineOrders}

/** An MJoin at work, with caches or without: counted and timed.
  *
  * The clock that it profiles with tells the work done, at a fixed price for each kind of step: so its
  * decisions, and all counts, are the same on every machine.
  *
  * @param memory
  *   bytes for the caches
  * @param unindexed
  *   windows without an index, and the key classes that they lack it for, both as bits
  * @param batch
  *   elements of a micro-batch; 0 for an element at a time
  */
private[lab] final class JoinContender(
    graph: JoinGraph,
    pipelines: Map[Int, Array[Int]],
    caching: Option[CacheSettings],
    seed: Long,
    memory: Long = JoinContender.Plenty,
    unindexed: (Long, Long) = (0L, 0L),
    batch: Int = 0
) {
  private val orders = new PipelineOrders(graph, "static", pipelines)
  private val synopses = new InMemorySynopses(graph, Vector(), unindexed._1, unindexed._2)
  private val prices = Prices.now
  private val clock: LongSupplier = () =>
    (synopses.lookUps * prices.lookUp + synopses.rowsRead * prices.row).toLong
  private val caches =
    caching.map(new JoinCaches(orders, _, new CacheMemory(memory), new SplittableRandom(seed), batch > 0))
  private val join = new MJoin(orders, synopses, new SplittableRandom(seed), 0.0, clock, caches)
  private var elements = 0L
  private var found = 0L
  private var cpu = 0L
  private var from = total

  def feed(input: Array[WindowElement]): Unit = {
    val start = Contender.cpuNanos()
    if (batch > 0) input.grouped(batch).foreach(feedBatch)
    else input.foreach(_.feed(join)(_ => found += 1))
    cpu += Contender.cpuNanos() - start
    elements += input.length
  }

  /** As Spark does it: rows arrive input by input, those that leave do so at the end and find no results, and
    * then plans may change.
    */
  private def feedBatch(elements: Array[WindowElement]): Unit = {
    val (arriving, leaving) = elements.partition(_.insert)
    arriving.sortBy(_.input).foreach(e => join.insert(e.input, e.row)(_ => found += 1))
    leaving.foreach(e => join.expire(e.input, e.row))
    caches.foreach(_.review())
  }

  /** How many came out, insertions and deletions together. */
  def results: Long = found

  /** Of the caches in use. */
  def reports: Seq[CacheReport] = caches.toSeq.flatMap(_.reports)

  /** From here on `since` counts. */
  def mark(): Unit = from = total

  def since: JoinWork = total - from

  private def total: JoinWork = JoinWork(
    elements,
    synopses.lookUps,
    synopses.rowsRead,
    (0 until graph.n).map(join.executor(_).probes.drop(graph.n).sum).sum,
    caches.fold(0L)(c => c.tuplesRead + c.tuplesCompared),
    caches.fold(0L)(_.tuplesCreated),
    cpu
  )
}

private[lab] object JoinContender {

  /** More than any of the caches needs. */
  val Plenty: Long = 1L << 28

  /** Elements of a micro-batch. */
  val Batch: Int = 1000

  /** Those of the lab, as the thesis has them: W is 10. */
  def settings: CacheSettings = CacheSettings(window = 10, costs = Prices.now.unitCosts)
}

/** What a plan of a join did.
  *
  * @param lookUps
  *   in windows and subresults of trees
  * @param rows
  *   that look-ups went over, those of other keys in a window without index included
  * @param cacheSteps
  *   look-ups in caches, tuples offered to caches for maintenance, keys shown to the Profiler; changes of
  *   subresults of trees
  * @param read
  *   tuples taken from caches, and those with which one that is offered for maintenance is compared
  * @param created
  *   tuples put into caches on a miss
  * @param cpuNanos
  *   processor time
  */
private[lab] final case class JoinWork(
    elements: Long,
    lookUps: Long,
    rows: Long,
    cacheSteps: Long,
    read: Long,
    created: Long,
    cpuNanos: Long
) {
  def -(o: JoinWork): JoinWork = JoinWork(
    elements - o.elements,
    lookUps - o.lookUps,
    rows - o.rows,
    cacheSteps - o.cacheSteps,
    read - o.read,
    created - o.created,
    cpuNanos - o.cpuNanos
  )

  /** Look-ups, rows walked and changes of caches, for each element. */
  def steps: Double = (lookUps + rows + cacheSteps + created).toDouble / elements

  /** Nanoseconds for each element, at fixed prices. */
  def price: Double = Prices.now.of(this) / elements

  def rate: Double = elements * 1e9 / cpuNanos
}
