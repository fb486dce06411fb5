package org.streamon.spark.execution.state

import java.util.{SplittableRandom, UUID}

import org.streamon.core.caching.{CacheMemory, CacheMode, JoinCaches}
import org.streamon.core.joins.PipelineOrders
import org.streamon.spark.settings.CacheSettings

/** The caches over the rows of one [[Mirror]], with the same lifetime. They are derived data, and are never
  * in the state store.
  *
  * @param run
  *   of the query: another may have other conditions
  * @param orders
  *   that the caches are for
  * @param memory
  *   that they share with others
  */
final class MirrorCaches private (
    val run: UUID,
    val orders: PipelineOrders,
    val settings: CacheSettings,
    val memory: CacheMemory
) {
  val caches: JoinCaches = new JoinCaches(
    orders,
    settings.forCore,
    memory,
    new SplittableRandom(),
    batches = true
  )

  def close(): Unit = caches.close()
}

object MirrorCaches {

  /** The caches for a task, made now if there are none; none where they are off or cannot pay, and where
    * memory has no room for all rows.
    *
    * @param budget
    *   bytes for all that is kept in the executor
    */
  def of(
      mirror: Mirror,
      run: UUID,
      shape: JoinShape,
      orders: PipelineOrders,
      settings: CacheSettings,
      budget: Long
  ): Option[JoinCaches] =
    if (!canPay(shape, settings) || mirror.spilled.contains(true)) {
      mirror.closeCaches()
      None
    } else {
      val bytes = settings.memoryBytes.getOrElse(ExecutorMemory.forCaches(budget))
      val memory = CacheMemories.of(budget, bytes)
      val fit = mirror.caches.exists { c =>
        c.run == run && (c.orders eq orders) && c.settings == settings && (c.memory eq memory)
      }
      if (!fit) {
        mirror.closeCaches()
        mirror.caches = Some(new MirrorCaches(run, orders, settings, memory))
      }
      mirror.caches.map(_.caches)
    }

  /** On one key class a subresult is hardly more than the rows of a key, which are at hand anyway: then only
    * conditions that cost something make it worth keeping.
    */
  def canPay(shape: JoinShape, settings: CacheSettings): Boolean =
    settings.mode != CacheMode.Off && shape.size > 2 &&
      (settings.forced.nonEmpty || !shape.graph.oneKeyClass || shape.residuals.costWithin)
}
