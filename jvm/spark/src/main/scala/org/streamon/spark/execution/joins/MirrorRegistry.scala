package org.streamon.spark.execution.joins

import java.lang.ref.SoftReference
import java.util.HashMap

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

  private final case class Kept(mirror: SoftReference[Mirror], wanted: () => Boolean)

  private val mirrors = new HashMap[Key, Kept]

  /** The mirror that holds the rows of the state with this stamp, if there is one. Nobody else gets it. */
  def take(key: Key, stamp: Long, shape: JoinShape): Option[Mirror] = synchronized {
    Option(mirrors.remove(key))
      .flatMap(kept => Option(kept.mirror.get))
      .filter(m => m.stamp == stamp && m.fits(shape))
  }

  /** Keeps a mirror.
    *
    * @param wanted
    *   whether it still may be asked for
    */
  def put(key: Key, mirror: Mirror)(wanted: => Boolean): Unit = synchronized {
    mirrors.values.removeIf(kept => kept.mirror.get == null || !kept.wanted())
    mirrors.put(key, Kept(new SoftReference(mirror), () => wanted))
  }

  /** Lets go of all mirrors: no harm, they are read anew. */
  def clear(): Unit = synchronized(mirrors.clear())
}
