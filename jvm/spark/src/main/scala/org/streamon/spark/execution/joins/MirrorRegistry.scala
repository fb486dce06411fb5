package org.streamon.spark.execution.joins

import java.lang.ref.SoftReference
import java.util.HashMap

/** The mirrors that no task of this executor has in hand, from micro-batch to micro-batch and from run to
  * run.
  *
  * A task takes a mirror out, and puts it back when its state has been committed, and only then: what a
  * failed or superseded task leaves half-way is nobody's. A mirror fits when its stamp is that of the state
  * to be read. What does not fit, or was lost to the garbage collector, is read anew from the store.
  */
object MirrorRegistry {

  /** Which partition of which operator of which checkpoint. */
  final case class Key(checkpoint: String, operator: Long, partition: Int)

  private val mirrors = new HashMap[Key, SoftReference[Mirror]]

  /** The mirror that holds the rows of the state with this stamp, if there is one. Nobody else gets it. */
  def take(key: Key, stamp: Long, expiring: Array[Boolean]): Option[Mirror] = synchronized {
    Option(mirrors.remove(key))
      .flatMap(reference => Option(reference.get))
      .filter(m => m.stamp == stamp && java.util.Arrays.equals(m.expiring, expiring))
  }

  def put(key: Key, mirror: Mirror): Unit = synchronized(mirrors.put(key, new SoftReference(mirror)))

  /** Lets go of the mirrors for which `unused` holds. */
  def purge(unused: Key => Boolean): Unit = synchronized(mirrors.keySet.removeIf(unused(_)))
}
