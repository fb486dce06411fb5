package org.streamon.spark.execution.joins

import java.util.concurrent.TimeUnit.MILLISECONDS

import org.streamon.core.caching.{CacheDecision, CacheReport}
import org.streamon.spark.metrics.{CacheUse, Decision}
import org.streamon.spark.settings.CacheSettings

/** What a task tells of its caches. */
object CacheReports {
  def of(
      used: Seq[CacheReport],
      decisions: Seq[CacheDecision],
      query: String,
      operator: String,
      partition: Int,
      settings: CacheSettings
  ): CacheUse = {
    val name = s"$operator, caches of partition $partition"
    def decision(of: CacheDecision): Decision = Decision(
      MILLISECONDS.toMicros(System.currentTimeMillis),
      query,
      name,
      s"a-caching ${settings.mode.name}",
      Vector(of.place),
      if (of.used) Vector() else Vector(0),
      if (of.used) Vector(0) else Vector(),
      Vector(Double.NaN),
      Vector(of.benefit.zip(of.cost).fold(Double.NaN) { case (benefit, cost) => benefit - cost }),
      straightNanos = Double.NaN,
      learnedNanos = Double.NaN
    )
    CacheUse(query, operator, partition, used, decisions.map(decision))
  }
}
