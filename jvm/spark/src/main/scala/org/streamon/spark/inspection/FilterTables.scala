package org.streamon.spark.inspection

import org.apache.spark.sql.Row
import org.apache.spark.sql.catalyst.util.DateTimeUtils.toJavaTimestamp
import org.apache.spark.sql.types.StructType
import org.streamon.core.filters.OrderLoop
import org.streamon.core.loop.Decision
import org.streamon.core.routes.{Attribute, RouteStatistics, Routes}
import org.streamon.spark.metrics.{DecisionReport, FilterMonitor, OrderChange, RoutesChange, SequenceChange}

/** The rows of `streamon_decisions()` and `streamon_stats()`. */
private[inspection] object FilterTables {
  val decisionsSchema: StructType = StructType.fromDDL(
    "time TIMESTAMP, query STRING, operator STRING, executor STRING, algorithm STRING, " +
      "old_order ARRAY<STRING>, new_order ARRAY<STRING>, " +
      "statistics ARRAY<STRUCT<conjunct: STRING, drop_rate: DOUBLE, nanos: DOUBLE>>, " +
      "straight_nanos DOUBLE, learned_nanos DOUBLE, " +
      "rows STRING, old_routes ARRAY<STRUCT<rows: STRING, conjuncts: ARRAY<STRING>>>, " +
      "new_routes ARRAY<STRUCT<rows: STRING, conjuncts: ARRAY<STRING>, share: DOUBLE>>, " +
      "single_nanos DOUBLE, old_nanos DOUBLE, new_nanos DOUBLE, " +
      "old_lookups DOUBLE, new_lookups DOUBLE, arrows INT"
  )

  val statsSchema: StructType = StructType.fromDDL(
    "query STRING, operator STRING, conjunct STRING, written INT, position INT, " +
      "evaluations BIGINT, drops BIGINT, " +
      "input_rows BIGINT, output_rows BIGINT, profiled BIGINT, reorders BIGINT, reevaluated BIGINT"
  )

  def decisions(owner: Option[String]): Seq[Row] = FilterMonitor.decisions(owner).map { of =>
    val head =
      Seq(toJavaTimestamp(of.change.timeMicros), of.query, of.operator, of.executor, of.algorithm)
    Row.fromSeq(head ++ (of.change match {
      case change @ OrderChange(decision, _, _) =>
        (orders(of, decision) :+ change.rows.orNull) ++ nulls(8)
      case RoutesChange(decision, attributes) => nulls(6) ++ routes(of, decision, attributes) ++ nulls(3)
      case change: SequenceChange             => sequences(of, change)
    }))
  }

  private def nulls(count: Int) = Seq.fill[Any](count)(null)

  private def sequences(of: DecisionReport, change: SequenceChange): Seq[Any] =
    Seq(change.oldOrder.map(of.parts), change.newOrder.map(of.parts)) ++ nulls(9) ++
      Seq[Any](change.statistics.oldAsked, change.statistics.newAsked, change.arrows)

  private def orders(of: DecisionReport, decision: OrderLoop.Reorder): Seq[Any] = {
    val statistics = decision.statistics
    Seq(
      decision.oldPlan.map(of.parts),
      decision.newPlan.map(of.parts),
      of.parts.indices.map(q => Row(of.parts(q), known(statistics.dropRate(q)), known(statistics.nanos(q)))),
      known(statistics.straightNanos),
      known(statistics.learnedNanos)
    )
  }

  private def routes(
      of: DecisionReport,
      decision: Decision[Routes, RouteStatistics],
      attributes: IndexedSeq[Attribute]
  ): Seq[Any] = {
    def described(routes: Routes, more: Int => Seq[Any]) = routes.orders.indices.map { r =>
      Row.fromSeq(Seq[Any](routes.tree.words(r, attributes), routes.orders(r).map(of.parts)) ++ more(r))
    }
    val statistics = decision.statistics
    Seq(
      described(decision.oldPlan, _ => Nil),
      described(decision.newPlan, r => Seq(known(statistics.shares(r)))),
      known(statistics.single),
      known(statistics.before),
      known(statistics.after)
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

  private[inspection] def known(value: Double): Any = if (value.isNaN) null else value
}
