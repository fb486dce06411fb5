package org.streamon.spark.execution

import org.streamon.spark.util.RecentlyUsed

/** The learned state of the filters in this executor. A task is short and a profile window is long, so each
  * task continues with the state of the previous one, across files and micro-batches. The state is only
  * advice, so its loss does no harm.
  */
object ProfileRegistry {
  private val Orders = 256

  /** Fewer, since each has a sample of rows: half a megabyte, and up to four with many conjuncts and long
    * texts.
    */
  private val Routes = 16

  private final case class Key(origin: FilterRuntime.Origin, operator: String, pinned: Seq[(Int, Int)])

  private val orders = new RecentlyUsed[Key, FilterLoop](Orders)
  private val routed = new RecentlyUsed[Key, RoutedLoop](Routes)

  /** The profile of this operator of the query. New settings take over the order and the guards learned under
    * the old ones; when guards are old, a new profile begins with the others.
    */
  def order(origin: FilterRuntime.Origin, runtime: FilterRuntime): FilterLoop =
    current(orders, origin, runtime)(_.serves(runtime.settings), FilterLoop(runtime, _))

  /** The same for an operator that sends its rows on routes. */
  def routes(origin: FilterRuntime.Origin, runtime: FilterRuntime): RoutedLoop =
    current(routed, origin, runtime)(_.serves(runtime), RoutedLoop(runtime, runtime.routing.get, _))

  private def current[L](known: RecentlyUsed[Key, L], origin: FilterRuntime.Origin, runtime: FilterRuntime)(
      serves: L => Boolean,
      make: Option[L] => L
  ): L = synchronized {
    val key = Key(origin, runtime.operator, runtime.pinned)
    val latest = Option(known.get(key))
    latest.filter(serves).getOrElse {
      val fresh = make(latest)
      known.put(key, fresh)
      fresh
    }
  }
}
