package org.streamon.spark.inspection

import java.util.WeakHashMap

import org.apache.spark.SparkContext
import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution
import org.apache.spark.sql.streamon.{ExecutionListener, SessionOfUser, SessionOwner, StreamonConf}
import org.streamon.spark.execution.QueryName

/** The driver's record of the latest queries of one application: the session and the plans of each query, its
  * adaptive operators, and the operators that are left to Spark.
  */
final class QueryLog private (context: SparkContext) extends ExecutionListener with Logging {
  private val queries = new LoggedQueries(QueryLog.BytesKept)

  /** Takes in a streaming query, in the thread that runs it. */
  def started(query: StreamExecution): Unit = {
    val id = query.id.toString
    if (queries.get(id).isEmpty)
      queries.put(logged(id, ExecutionListener.sessionOf(query), ExecutionListener.planOf(query)))
  }

  // A session that is switched off leaves no trace.
  override protected def heard(query: String, execution: QueryExecution): Unit =
    if (execution.sparkSession.sessionState.conf.getConf(StreamonConf.Enabled))
      try {
        val known = queries.get(query).orElse(ofBatch(query, execution))
        for (of <- known)
          queries.put(of.copy(refused = WhyNot.of(execution), adaptive = Explanation.of(execution)))
      } catch {
        case failed: Exception => logDebug(s"Nothing is known of $query", failed)
      }

  private def ofBatch(query: String, execution: QueryExecution) =
    Option.when(QueryName.isBatch(query))(logged(query, execution.sparkSession, execution.analyzed))

  private def logged(query: String, session: SparkSession, plan: LogicalPlan) =
    LoggedQuery(query, SessionOfUser.id(session), SessionOwner.of(session), LoggedQuery.hashes(plan))

  /** Those that a condition holds of, those that were heard of last at the end. */
  def find(condition: LoggedQuery => Boolean): Seq[LoggedQuery] = {
    catchUp(context)
    queries.all.filter(condition)
  }
}

object QueryLog {
  private val BytesKept = 8L << 20
  private val logs = new WeakHashMap[SparkContext, QueryLog]

  /** That of an application; made, and listening, from the first call on. */
  def of(context: SparkContext): QueryLog = logs.synchronized {
    Option(logs.get(context)).getOrElse {
      val log = new QueryLog(context)
      log.listenTo(context)
      logs.put(context, log)
      log
    }
  }
}
