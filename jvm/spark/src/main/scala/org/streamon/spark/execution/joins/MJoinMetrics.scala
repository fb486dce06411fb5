package org.streamon.spark.execution.joins

import org.apache.spark.sql.execution.streaming.operators.stateful.{
  StatefulOperatorCustomMetric,
  StatefulOperatorCustomSumMetric
}

/** The metrics of an MJoin in addition to those of every stateful operator. They are in Spark's UI and in the
  * progress of a query.
  */
object MJoinMetrics {
  val Reorders = "mjoinReorders"
  val Profiled = "mjoinProfiledRows"
  val Rebuilt = "mjoinRebuiltMirrors"
  val Replicas = "mjoinReplicaRows"
  val Memory = "mjoinMirrorBytes"
  val CacheHits = "mjoinCacheHits"
  val CacheMisses = "mjoinCacheMisses"
  val CacheEntries = "mjoinCacheEntries"
  val CacheBytes = "mjoinCacheBytes"
  val Evicted = "mjoinEvictedRows"
  val Cold = "mjoinColdRows"
  val Dead = "mjoinDeadRows"
  val DeadBytes = "mjoinDeadBytes"
  val ConstraintBytes = "mjoinConstraintBytes"
  val Violations = "mjoinViolations"
  def probes(input: Int): String = s"mjoinProbes$input"
  def drops(input: Int): String = s"mjoinDrops$input"

  def all(inputs: Int): Seq[StatefulOperatorCustomMetric] =
    Seq(
      StatefulOperatorCustomSumMetric(Reorders, "number of reorders"),
      StatefulOperatorCustomSumMetric(Profiled, "number of profiled rows"),
      StatefulOperatorCustomSumMetric(Rebuilt, "number of mirrors rebuilt from the state store"),
      StatefulOperatorCustomSumMetric(Replicas, "number of state rows that are replicas"),
      StatefulOperatorCustomSumMetric(Memory, "bytes of the mirrors"),
      StatefulOperatorCustomSumMetric(CacheHits, "number of cache hits"),
      StatefulOperatorCustomSumMetric(CacheMisses, "number of cache misses"),
      StatefulOperatorCustomSumMetric(CacheEntries, "number of cache entries"),
      StatefulOperatorCustomSumMetric(CacheBytes, "bytes of the caches"),
      StatefulOperatorCustomSumMetric(Evicted, "number of rows that left memory by constraints"),
      StatefulOperatorCustomSumMetric(Cold, "number of rows that are only in the state store by constraints"),
      StatefulOperatorCustomSumMetric(Dead, "number of rows in memory that constraints call dead"),
      StatefulOperatorCustomSumMetric(DeadBytes, "bytes of rows in memory that constraints call dead"),
      StatefulOperatorCustomSumMetric(ConstraintBytes, "bytes of what is known of constraints"),
      StatefulOperatorCustomSumMetric(Violations, "number of results with rows that constraints call dead")
    ) ++ (0 until inputs).flatMap { i =>
      Seq(
        StatefulOperatorCustomSumMetric(probes(i), s"probes of input $i"),
        StatefulOperatorCustomSumMetric(drops(i), s"rows dropped by input $i")
      )
    }
}
