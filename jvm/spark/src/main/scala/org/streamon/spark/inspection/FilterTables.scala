package org.streamon.spark.inspection

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.util.DateTimeUtils.toJavaTimestamp
import org.apache.spark.sql.types.StructType
import org.streamon.spark.metrics.FilterMonitor

/** The rows of `streamon_decisions()` and `streamon_stats()`. */
private[inspection] object FilterTables {
  val decisionsSchema: StructType = StructType.fromDDL(
    "time TIMESTAMP, query STRING, operator STRING, executor STRING, algorithm STRING, " +
      "old_order ARRAY<STRING>, new_order ARRAY<STRING>, " +
      "statistics ARRAY<STRUCT<conjunct: STRING, drop_rate: DOUBLE, nanos: DOUBLE>>, " +
      "straight_nanos DOUBLE, learned_nanos DOUBLE"
  )

  val statsSchema: StructType = StructType.fromDDL(
    "query STRING, operator STRING, conjunct STRING, written INT, position INT, " +
      "evaluations BIGINT, drops BIGINT, " +
      "input_rows BIGINT, output_rows BIGINT, profiled BIGINT, reorders BIGINT, reevaluated BIGINT"
  )

  def decisions(owner: Option[String]): Seq[Row] = FilterMonitor.decisions(owner).map { of =>
    val decision = of.decision
    val statistics = decision.statistics
    Row(
      toJavaTimestamp(decision.timeMicros),
      of.query,
      of.operator,
      of.executor,
      of.algorithm,
      decision.oldPlan.map(of.parts),
      decision.newPlan.map(of.parts),
      of.parts.indices.map(q => Row(of.parts(q), known(statistics.dropRate(q)), known(statistics.nanos(q)))),
      known(statistics.straightNanos),
      known(statistics.learnedNanos)
    )
  }

  def stats(owner: Option[String]): Seq[Row] = for {
    r <- FilterMonitor.totals(owner)
    q <- r.conjuncts.indices
  } yield Row(
    r.query,
    r.operator,
    r.conjuncts(q),
    q,
    r.order.indexOf(q),
    r.evaluations(q),
    r.drops(q),
    r.inputRows,
    r.outputRows,
    r.profiled,
    r.reorders,
    r.reevaluated
  )

  private def known(value: Double): Any = if (value.isNaN) null else value
}
