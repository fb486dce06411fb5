package org.streamon.spark.inspection

import org.apache.spark.sql.{Row, SparkSessionExtensions}
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation
import org.apache.spark.sql.catalyst.types.DataTypeUtils
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.streamon.SessionOwner
import org.apache.spark.sql.types.StructType
import org.streamon.spark.util.TableFunction

/** The table functions of StreaMon: `SELECT * FROM streamon_stats()` for all queries of the session,
  * `streamon_stats('execution-7')` for one query, and `streamon_stats(TABLE(t))` for the executions of a
  * table, a view or a query in the session.
  *
  * A call returns what has been reported when it is analyzed. A task reports when it ends. Over Spark Connect
  * users see only their own queries, since a server has several users and texts contain literals.
  */
object TableFunctions {
  val all: Seq[SparkSessionExtensions#TableFunctionDescription] = Seq(
    reported(
      "streamon_decisions",
      FilterTables.decisionsSchema,
      "every change of order or of routes, oldest first"
    )(
      FilterTables.decisions
    ),
    reported(
      "streamon_stats",
      FilterTables.statsSchema,
      "the counts of each conjunct of each adaptive filter and each input of each MJoin"
    )(
      FilterTables.stats
    ),
    reported(
      "streamon_routes",
      RouteTable.schema,
      "every route of each adaptive filter that gives each kind of row an order of its own"
    )(RouteTable.rows),
    reported("streamon_caches", CacheTable.schema, "every cache of an MJoin that is in use")(CacheTable.rows),
    reported(
      "streamon_constraints",
      ConstraintTables.constraintsSchema,
      "every constraint of an MJoin, with its k and its violations"
    )(ConstraintTables.constraints),
    reported(
      "streamon_evictions",
      ConstraintTables.evictionsSchema,
      "every input of an MJoin, with its live, dead and evicted rows"
    )(ConstraintTables.evictions),
    reported(
      "streamon_constraint_history",
      ConstraintTables.historySchema,
      "every constraint of an MJoin at the end of each micro-batch"
    )(ConstraintTables.history),
    tableFunction(
      "streamon_why_not",
      PlanTables.whyNotSchema,
      "every filter and join that is left to Spark, with the reason"
    )(
      PlanTables.whyNot
    ),
    tableFunction(
      "streamon_explain",
      PlanTables.explainSchema,
      "every adaptive operator, with its description"
    )(PlanTables.explain)
  )

  /** Of what tasks have told the driver, by the owner of their queries. */
  private def reported(name: String, schema: StructType, usage: String)(rows: Option[String] => Seq[Row]) = {
    val query = schema.fieldIndex("query")
    tableFunction(name, schema, usage) { (session, scope) =>
      val isNamed = scope.names(session)
      rows(SessionOwner.of(session)).filter(row => isNamed(row.getString(query)))
    }
  }

  private def tableFunction(name: String, schema: StructType, usage: String)(
      rows: (SparkSession, Scope) => Seq[Row]
  ): SparkSessionExtensions#TableFunctionDescription =
    TableFunction(getClass, name, s"_FUNC_([query]) - $usage") { arguments =>
      val scope = Scope.of(name, arguments)
      LocalRelation.fromExternalRows(DataTypeUtils.toAttributes(schema), rows(SparkSession.active, scope))
    }
}
