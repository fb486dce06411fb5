package org.streamon.spark.inspection

import java.time.Instant
import java.time.temporal.ChronoUnit

import org.apache.spark.sql.{Row, SparkSessionExtensions}
import org.apache.spark.sql.catalyst.FunctionIdentifier
import org.apache.spark.sql.catalyst.expressions.{Expression, ExpressionInfo}
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.streamon.{AnalysisErrors, SessionOwner}
import org.streamon.spark.metrics.{CacheMonitor, FilterMonitor}
import org.apache.spark.sql.types.StructType

/** What adaptive operators did, as tables: `SELECT * FROM streamon_decisions()` and `streamon_stats()`. A
  * call sees what has been reported when it is analyzed; a task reports when it ends. It sees what is of its
  * caller's queries: texts have literals, and a Spark Connect server has several users.
  */
object TableFunctions {
  private val decisionsSchema = StructType.fromDDL(
    "time TIMESTAMP, query STRING, operator STRING, executor STRING, algorithm STRING, " +
      "old_order ARRAY<STRING>, new_order ARRAY<STRING>, " +
      "statistics ARRAY<STRUCT<conjunct: STRING, drop_rate: DOUBLE, nanos: DOUBLE>>, " +
      "straight_nanos DOUBLE, learned_nanos DOUBLE"
  )

  private val statsSchema = StructType.fromDDL(
    "query STRING, operator STRING, conjunct STRING, written INT, position INT, " +
      "evaluations BIGINT, drops BIGINT, " +
      "input_rows BIGINT, output_rows BIGINT, profiled BIGINT, reorders BIGINT, reevaluated BIGINT"
  )

  private val cachesSchema = StructType.fromDDL(
    "query STRING, operator STRING, cache STRING, partitions INT, hits BIGINT, misses BIGINT, updates BIGINT, " +
      "entries BIGINT, bytes BIGINT, benefit_nanos DOUBLE, cost_nanos DOUBLE"
  )

  val all: Seq[SparkSessionExtensions#TableFunctionDescription] = Seq(
    tableFunction("streamon_decisions", decisionsSchema, "every change of order, oldest first")(decisions),
    tableFunction("streamon_stats", statsSchema, "the counts of each conjunct of each adaptive filter")(
      stats
    ),
    tableFunction("streamon_caches", cachesSchema, "every cache of an MJoin that is in use")(caches),
    tableFunction(
      "streamon_constraints",
      ConstraintTables.constraintsSchema,
      "what is known of every constraint of an MJoin"
    )(ConstraintTables.constraints),
    tableFunction(
      "streamon_evictions",
      ConstraintTables.evictionsSchema,
      "what constraints do to every input of an MJoin"
    )(ConstraintTables.evictions),
    tableFunction(
      "streamon_constraint_history",
      ConstraintTables.historySchema,
      "every constraint of an MJoin at the end of each micro-batch"
    )(ConstraintTables.history)
  )

  private def decisions(owner: Option[String]): Seq[Row] = FilterMonitor.decisions(owner).map { of =>
    val decision = of.decision
    val statistics = decision.statistics
    Row(
      java.sql.Timestamp.from(Instant.EPOCH.plus(decision.timeMicros, ChronoUnit.MICROS)),
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

  private def stats(owner: Option[String]): Seq[Row] = for {
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

  private def caches(owner: Option[String]): Seq[Row] = {
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

  private def known(value: Double): Any = if (value.isNaN) null else value

  private def tableFunction(name: String, schema: StructType, usage: String)(
      rows: Option[String] => Seq[Row]
  ): SparkSessionExtensions#TableFunctionDescription = {
    val info = new ExpressionInfo(
      getClass.getName,
      null,
      name,
      s"_FUNC_() - $usage",
      "",
      "",
      "",
      "table_funcs",
      "0.1.0",
      "",
      "built-in"
    )
    val builder = (arguments: Seq[Expression]) => {
      if (arguments.nonEmpty) throw AnalysisErrors.takesNoArguments(name, arguments.size)
      val owner = SparkSession.getActiveSession.flatMap(SessionOwner.of)
      LocalRelation.fromExternalRows(DataTypeUtils.toAttributes(schema), rows(owner))
    }
    (FunctionIdentifier(name), info, builder)
  }
}
