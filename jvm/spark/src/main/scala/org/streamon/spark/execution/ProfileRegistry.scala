package org.streamon.spark.execution

import org.streamon.spark.util.RecentlyUsed

/** The learned state of the filters in this executor. A task is short and a profile window is long, so each
  * task continues with the state of the previous one, across files and micro-batches. The state is only
  * advice, so its loss does no harm.
  */
object ProfileRegistry {
  private val Capacity = 256

  private final case class Key(origin: FilterRuntime.Origin, operator: String, pinned: Seq[(Int, Int)])

  private val profiles = new RecentlyUsed[Key, FilterLoop](Capacity)

  /** The profile of this operator of the query. New settings take over the order and the guards learned under
    * the old ones; when guards are old, a new profile begins with the others.
    */
  def profile(origin: FilterRuntime.Origin, runtime: FilterRuntime): FilterLoop = synchronized {
    val key = Key(origin, runtime.operator, runtime.pinned)
    val known = profiles.get(key)
    if (known != null && known.serves(runtime.settings)) known
    else {
      val fresh = FilterLoop(runtime, Option(known))
      profiles.put(key, fresh)
      fresh
    }
  }
}
