package org.streamon.spark.inspection

import org.apache.spark.sql.Row
import org.apache.spark.sql.types.StructType
import org.streamon.spark.metrics.FilterMonitor

/** The rows of `streamon_routes()`. */
private[inspection] object RouteTable {
  val schema: StructType = StructType.fromDDL(
    "query STRING, operator STRING, executor STRING, route INT, rows STRING, conjuncts ARRAY<STRING>, " +
      "input_rows BIGINT, share DOUBLE, modelled_saving DOUBLE, measured_saving DOUBLE"
  )

  def rows(owner: Option[String]): Seq[Row] = for {
    of <- FilterMonitor.totals(owner)
    (executor, report) <- of.routes.all
    r <- report.counts.routes.orders.indices
  } yield Row(
    of.query,
    of.operator,
    executor,
    r,
    report.counts.routes.tree.words(r, report.attributes),
    report.counts.routes.orders(r).map(of.conjuncts),
    report.counts.rows(r),
    FilterTables.known(report.shares(r)),
    FilterTables.known(report.modelledSaving),
    FilterTables.known(report.measuredSaving)
  )
}
