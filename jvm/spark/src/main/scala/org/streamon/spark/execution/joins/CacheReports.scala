package org.streamon.spark.execution.joins

import org.streamon.core.caching.{CacheReport, JoinCaches}
import org.streamon.core.filters.OrderStatistics
import org.streamon.core.loop.Decision
import org.streamon.spark.metrics.{CacheUse, DecisionReport, OrderChange, ThisExecutor}
import org.streamon.spark.settings.CacheSettings

/** The reports of a task about its caches. */
object CacheReports {
  def of(
      used: Seq[CacheReport],
      decisions: Seq[JoinCaches.Change],
      query: String,
      operator: String,
      partition: Int,
      settings: CacheSettings
  ): CacheUse = {
    val name = s"$operator, caches of partition $partition"
    def report(change: JoinCaches.Change) = {
      val places = (change.oldPlan ++ change.newPlan).toVector.sorted
      def indices(plan: Set[String]) = places.indices.filter(k => plan(places(k)))
      val statistics = OrderStatistics(
        places.map(_ => Double.NaN),
        places.map(change.statistics.getOrElse(_, Double.NaN))
      )
      val decision = Decision(change.timeMicros, indices(change.oldPlan), indices(change.newPlan), statistics)
      DecisionReport(
        query,
        name,
        ThisExecutor.id,
        s"a-caching ${settings.mode.name}",
        places,
        OrderChange(decision)
      )
    }
    CacheUse(query, operator, partition, used, decisions.map(report))
  }
}
