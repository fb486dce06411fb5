package org.streamon.spark.execution.joins

import java.lang.ref.SoftReference
import java.util.HashMap
import org.streamon.spark.execution.state.{Mirror, MirrorCaches}

/** The mirrors that no task of this executor has in hand, from micro-batch to micro-batch and from run to
  * run.
  *
  * A task takes a mirror out, and puts it back when its state has been committed, and only then: what a
  * failed or superseded task leaves half-way is nobody's. A mirror fits when its stamp is that of the state
  * to be read. What does not fit, or was lost to the garbage collector, is read anew from the store. Mirrors
  * of stores that Spark has unloaded, when a query has ended or its partition lives elsewhere, are let go of.
  */
object MirrorRegistry {

  /** Which partition of which operator of which checkpoint. */
  final case class Key(checkpoint: String, operator: Long, partition: Int)

  /** The caches are let go of even when the mirror is lost. */
  private final case class Kept(
      mirror: SoftReference[Mirror],
      caches: Option[MirrorCaches],
      wanted: () => Boolean
  ) {
    def fitting(stamp: Long, fits: Mirror => Boolean): Option[Mirror] = {
      val fit = Option(mirror.get).filter(m => m.stamp == stamp && fits(m))
      caches.foreach(c => if (fit.isEmpty) c.close() else c.caches.resume())
      fit
    }

    def isOver: Boolean = {
      val over = mirror.get == null || !wanted()
      if (over) caches.foreach(_.close())
      over
    }
  }

  private val mirrors = new HashMap[Key, Kept]

  /** Calls since all were looked at: as many as there are, so that it costs each call the same. */
  private var calls = 0

  private def sweep(): Unit = {
    calls += 1
    if (calls >= mirrors.size) {
      mirrors.values.removeIf(_.isOver)
      calls = 0
    }
  }

  /** The mirror that holds the rows of the state with this stamp, if there is one and it fits. Nobody else
    * gets it.
    */
  def take(key: Key, stamp: Long)(fits: Mirror => Boolean): Option[Mirror] = synchronized {
    val kept = Option(mirrors.remove(key))
    sweep()
    kept.flatMap(_.fitting(stamp, fits))
  }

  /** Keeps a mirror.
    *
    * @param wanted
    *   whether it still may be asked for
    */
  def put(key: Key, mirror: Mirror)(wanted: => Boolean): Unit = synchronized {
    sweep()
    val caches = mirror.caches
    caches.foreach(_.caches.suspend())
    Option(mirrors.put(key, Kept(new SoftReference(mirror), caches, () => wanted)))
      .foreach(_.caches.foreach(_.close()))
  }

  /** Lets go of all mirrors: no harm, they are read anew. */
  def clear(): Unit = synchronized {
    mirrors.values.forEach(_.caches.foreach(_.close()))
    mirrors.clear()
  }
}
