package org.streamon.core.caching

import org.streamon.lab.baselines.{InMemorySynopses, MJoin}
import java.util.SplittableRandom
import scala.collection.mutable
import org.streamon.core.joins._

/** A join under fixed pipelines with forced caches, a row at a time.
  *
  * @param pipelines
  *   windows by position, for every input
  * @param cached
  *   subresults, each a set of windows
  * @param largest
  *   tuples of a value
  */
final class CachedJoin(
    equalities: Seq[Equality],
    pipelines: Seq[Seq[Int]],
    mode: CacheMode,
    cached: Seq[Set[Int]],
    memory: CacheMemory = new CacheMemory(1 << 20),
    largest: Int = 1 << 16
) {
  private val orders = {
    val initial = pipelines.indices.map(i => i -> pipelines(i).toArray).toMap
    new PipelineOrders(new JoinGraph(pipelines.size, equalities), "static", initial)
  }
  private val synopses = new InMemorySynopses(orders.graph)
  private val random = new SplittableRandom(1)
  val caches: JoinCaches = {
    val settings = CacheSettings(mode, forced = cached.map(Bits.of(_)), largest = largest)
    new JoinCaches(orders, settings, memory, random)
  }
  private val join = new MJoin(orders, synopses, random, 0.0, () => 0L, Some(caches))

  /** The results that a row adds, as rows by input. */
  def insert(input: Int, values: Any*): Seq[Seq[Row]] = {
    val found = mutable.Buffer.empty[Seq[Row]]
    join.insert(input, values.toVector)(found += _)
    found.toSeq
  }

  /** The results that a row takes back. */
  def delete(input: Int, values: Any*): Seq[Seq[Row]] = {
    val found = mutable.Buffer.empty[Seq[Row]]
    join.delete(input, values.toVector)(found += _)
    found.toSeq
  }

  /** What the only cache has done. */
  def report: CacheReport = {
    require(caches.reports.size == 1, s"expected one cache: ${caches.reports}")
    caches.reports.head
  }

  /** The entries of the only cache: by key its tuples, as rows of its windows in ascending order. */
  def entries: Map[Seq[Long], Seq[Seq[Row]]] = {
    val contents = caches.inUse.map(_._2).distinct
    require(contents.size == 1, s"expected one cache: ${caches.inUse}")
    val content = contents.head
    val all = mutable.Map.empty[Seq[Long], Seq[Seq[Row]]]
    content.cache.foreach { (key, rows) =>
      val tuples = (0 until rows.size).map { t =>
        content.windows.indices.map(k => synopses(content.windows(k)).row(rows(t, k).toInt))
      }
      all(key.toSeq) = tuples
    }
    all.toMap
  }
}
