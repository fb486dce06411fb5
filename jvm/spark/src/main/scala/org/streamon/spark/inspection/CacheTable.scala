package org.streamon.spark.inspection

import org.apache.spark.sql.Row
import org.apache.spark.sql.types.StructType
import org.streamon.spark.metrics.CacheMonitor

/** The rows of `streamon_caches()`. */
private[inspection] object CacheTable {
  val schema: StructType = StructType.fromDDL(
    "query STRING, operator STRING, cache STRING, partitions INT, hits BIGINT, misses BIGINT, updates BIGINT, " +
      "entries BIGINT, bytes BIGINT, benefit_nanos DOUBLE, cost_nanos DOUBLE"
  )

  def rows(owner: Option[String]): Seq[Row] = {
    val all = for (use <- CacheMonitor.latest(owner); cache <- use.caches) yield (use, cache)
    all.groupBy { case (use, cache) => (use.query, use.operator, cache.places) }.toSeq.map {
      case ((query, operator, places), parts) =>
        val caches = parts.map(_._2)
        Row(
          query,
          operator,
          places.mkString(", "),
          caches.size,
          caches.map(_.hits).sum,
          caches.map(_.misses).sum,
          caches.map(_.updates).sum,
          caches.map(_.entries.toLong).sum,
          caches.map(_.bytes).sum,
          caches.map(_.benefit).sum / caches.size,
          caches.map(_.cost).sum / caches.size
        )
    }
  }
}
