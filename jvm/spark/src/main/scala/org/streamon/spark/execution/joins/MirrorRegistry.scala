package org.streamon.spark.execution.joins

import java.lang.ref.SoftReference
import java.util.HashMap
import java.util.concurrent.{Executors, ScheduledExecutorService, TimeUnit}

import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import org.streamon.spark.execution.state.{ExecutorMemory, MemoryShare, Mirror, MirrorCaches}
import org.streamon.spark.util.LogOnce

/** The mirrors of this executor that no task is using. They are kept between micro-batches and between runs.
  *
  * A task takes a mirror out. It puts the mirror back only after its state is committed, so the mirror of a
  * failed or superseded task is dropped. A mirror fits if it has the stamp of the state to be read, or can go
  * back to that state. Otherwise, or if the garbage collector took the mirror, it is read again from the
  * state store. Spark unloads the state stores of ended queries and of partitions that have moved. Their
  * mirrors are removed from time to time by tasks, and once a minute if there are no tasks.
  */
object MirrorRegistry {

  /** Which partition of which operator of which checkpoint. */
  final case class Key(checkpoint: String, operator: Long, partition: Int)

  /** The caches are let go of even when the mirror is lost. */
  private final class Kept(
      val share: MemoryShare,
      mirror: SoftReference[Mirror],
      private var caches: Option[MirrorCaches],
      val isWanted: () => Boolean
  ) {
    def fitting(stamp: Long, fits: Mirror => Boolean): Option[Mirror] = {
      val fit = Option(mirror.get).filter(m => fits(m) && m.goesBackTo(stamp))
      if (fit.isEmpty) closeCaches()
      fit.flatMap(_.caches).foreach(_.caches.resume())
      fit
    }

    /** Lets go of the rows, which are read from the state store the next time. An equal part stays taken:
      * others would grow into it, and be in the way when the rows come back.
      */
    def drop(): Unit = {
      mirror.clear()
      closeCaches()
      share.bytes = math.min(share.bytes, share.fair)
    }

    def isLost: Boolean = mirror.get == null

    def closeCaches(): Unit = {
      caches.foreach(_.close())
      caches = None
    }

    def close(): Unit = {
      closeCaches()
      share.close()
    }
  }

  private val mirrors = new HashMap[Key, Kept]
  private var sweeper: ScheduledExecutorService = _

  /** What a partition has of the executor's memory, and the mirror that holds the rows of the state with this
    * stamp, if there is one and it fits. Nobody else gets them.
    *
    * @param budget
    *   bytes that its query allows for all that is kept in the executor
    */
  def take(key: Key, stamp: Long, budget: Long)(fits: Mirror => Boolean): (MemoryShare, Option[Mirror]) = {
    synchronized(Option(mirrors.remove(key))) match {
      case Some(k) =>
        k.share.budget = budget
        (k.share, k.fitting(stamp, fits))
      case None => (ExecutorMemory.here.newShare(budget), None)
    }
  }

  /** Keeps a mirror.
    *
    * @param isWanted
    *   whether it still may be asked for
    */
  def put(key: Key, mirror: Mirror, share: MemoryShare)(isWanted: => Boolean): Unit = {
    val caches = mirror.caches
    caches.foreach(_.caches.suspend())
    val former = synchronized {
      start()
      mirrors.put(key, new Kept(share, new SoftReference(mirror), caches, () => isWanted))
    }
    if (former != null) former.close()
  }

  /** Lets go of mirrors with the same budget that have more than an equal part of it, the largest first,
    * until it is kept.
    */
  def shrink(share: MemoryShare): Unit = synchronized {
    val large = mirrors.values.asScala
      .filter(k => k.share.budget == share.budget && k.share.bytes > k.share.fair)
      .toSeq
    large.sortBy(-_.share.bytes).iterator.takeWhile(_ => share.isTight).foreach(_.drop())
  }

  /** Lets go of those that nobody may ask for any longer. Spark is asked outside the lock: it answers while
    * it loads no other store.
    */
  def sweep(): Unit = {
    val over = synchronized(mirrors.asScala.toSeq).filterNot { case (_, kept) => kept.isWanted() }
    synchronized {
      for ((key, kept) <- over if mirrors.remove(key, kept)) kept.close()
      mirrors.values.forEach(kept => if (kept.isLost) kept.drop())
      if (mirrors.isEmpty) stop()
    }
  }

  /** Lets go of all mirrors: no harm, they are read anew. */
  def clear(): Unit = synchronized {
    mirrors.values.forEach(_.close())
    mirrors.clear()
    stop()
  }

  private def start(): Unit = if (sweeper == null) {
    sweeper = Executors.newSingleThreadScheduledExecutor { task =>
      val thread = new Thread(task, "streamon-mirrors")
      thread.setDaemon(true)
      thread
    }
    // What is thrown would end it.
    val sweeping: Runnable = () =>
      try sweep()
      catch { case NonFatal(error) => LogOnce.warn(s"Unused mirrors of MJoins stay in memory: $error") }
    sweeper.scheduleWithFixedDelay(sweeping, SweepSeconds, SweepSeconds, TimeUnit.SECONDS)
  }

  private def stop(): Unit = if (sweeper != null) {
    sweeper.shutdown()
    sweeper = null
  }

  /** As often as Spark looks after its own stores by default. */
  private val SweepSeconds = 60L
}
