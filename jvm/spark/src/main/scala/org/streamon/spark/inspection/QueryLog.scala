package org.streamon.spark.inspection

import java.util.WeakHashMap

import scala.util.control.NonFatal

import org.apache.spark.SparkContext
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution
import org.apache.spark.sql.streamon.{ExecutionListener, QueryName, SessionOfUser, SessionOwner, StreamonConf}

/** The driver's record of the latest queries of one application: the session and the plans of each query, its
  * adaptive operators, and the operators that are left to Spark.
  */
final class QueryLog private extends ExecutionListener {
  private val queries = new LoggedQueries(QueryLog.BytesKept)

  /** Takes in a streaming query, in the thread that runs it. A restart from its checkpoint is another run: it
    * may have another plan, and another user.
    */
  def started(query: StreamExecution): Unit = harmlessly(query.id.toString) { id =>
    val run = query.runId.toString
    if (known(id, run).isEmpty)
      queries.put(logged(id, run, ExecutionListener.sessionOf(query), ExecutionListener.planOf(query)))
  }

  override protected def onExecution(
      query: String,
      run: String,
      execution: QueryExecution,
      ended: Boolean
  ): Unit = if (QueryLog.isOn(execution.sparkSession)) harmlessly(query) { _ =>
    val before = known(query, run).orElse(ofBatch(query, execution))
    for (of <- before if ended || !of.hasOperators)
      queries.put(of.copy(refused = WhyNot.of(execution), adaptive = Explanation.of(execution)))
  }

  /** A query that cannot be recorded runs on. So does the listener's thread, whose end stops Spark. */
  private def harmlessly(query: String)(record: String => Unit): Unit = try record(query)
  catch {
    case failed @ (NonFatal(_) | _: StackOverflowError | _: LinkageError) =>
      logDebug(s"Nothing is known of $query", failed)
  }

  private def known(query: String, run: String) = queries.get(query).filter(_.run == run)

  private def ofBatch(query: String, execution: QueryExecution) =
    Option.when(QueryName.isBatch(query))(logged(query, query, execution.sparkSession, execution.analyzed))

  private def logged(query: String, run: String, session: SparkSession, plan: LogicalPlan) =
    LoggedQuery(query, run, SessionOfUser.id(session), SessionOwner.of(session), LoggedQuery.hashes(plan))

  /** The queries that a condition holds of. Those that started or ended last are at the end. */
  def find(context: SparkContext)(condition: LoggedQuery => Boolean): Seq[LoggedQuery] = {
    catchUp(context)
    queries.all.filter(condition)
  }
}

object QueryLog {
  private val BytesKept = 8L << 20
  private val logs = new WeakHashMap[SparkContext, QueryLog]

  /** A session that is switched off leaves no trace. */
  def isOn(session: SparkSession): Boolean = session.sessionState.conf.getConf(StreamonConf.Enabled)

  /** That of an application; made, and listening, from the first call on. */
  def of(context: SparkContext): QueryLog = logs.synchronized {
    Option(logs.get(context)).getOrElse {
      val log = new QueryLog
      log.listenTo(context)
      logs.put(context, log)
      log
    }
  }
}
