package org.apache.spark.sql.streamon

import java.util.Properties
import java.util.concurrent.{CountDownLatch, TimeUnit}

import org.apache.spark.SparkContext
import org.apache.spark.internal.Logging
import org.apache.spark.scheduler.{SparkListener, SparkListenerEvent}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.{QueryExecution, SQLExecution}
import org.apache.spark.sql.execution.streaming.runtime.{IncrementalExecution, StreamExecution}
import org.apache.spark.sql.execution.ui.{SparkListenerSQLExecutionEnd, SparkListenerSQLExecutionStart}

/** Listens to the start and the end of each execution of an application. Spark calls it in its own thread, a
  * little after the event.
  */
abstract class ExecutionListener extends SparkListener with Logging {

  /** The session of the execution is active while this runs.
    *
    * @param query
    *   the id of the streaming query, or `execution-N`
    * @param run
    *   the id of the run of the streaming query, or `execution-N`
    * @param ended
    *   whether the execution has ended, or starts
    */
  protected def onExecution(query: String, run: String, execution: QueryExecution, ended: Boolean): Unit

  final override def onOtherEvent(event: SparkListenerEvent): Unit = event match {
    case start: SparkListenerSQLExecutionStart =>
      // None if it has ended by now. The event of its end comes next.
      Option(SQLExecution.getQueryExecution(start.executionId))
        .foreach(dispatch(start.executionId, _, ended = false))
    case end: SparkListenerSQLExecutionEnd =>
      Option(end.qe).foreach(dispatch(end.executionId, _, ended = true))
    case ExecutionListener.Reached(latch) => latch.countDown()
    case _                                =>
  }

  private def dispatch(id: Long, execution: QueryExecution, ended: Boolean): Unit = {
    // Those of the thread that made this one are another query's.
    execution.sparkSession.sparkContext.setLocalProperties(new Properties)
    execution.sparkSession.withActive {
      execution match {
        case batch: IncrementalExecution =>
          onExecution(batch.queryId.toString, batch.runId.toString, batch, ended)
        case _ =>
          val name = QueryName.ofBatch(id.toString)
          onExecution(name, name, execution, ended)
      }
    }
  }

  /** Waits until it has taken in all events so far, for ten seconds at most. */
  final def catchUp(context: SparkContext): Unit = if (!context.isStopped) {
    val latch = new CountDownLatch(1)
    context.listenerBus.post(ExecutionListener.Reached(latch))
    if (!latch.await(10, TimeUnit.SECONDS))
      logWarning(
        "Spark's listeners are behind by more than 10 s. The latest queries are missing in the tables."
      )
  }

  final def listenTo(context: SparkContext): Unit =
    context.listenerBus.addToQueue(this, ExecutionListener.Queue)
}

object ExecutionListener {
  private val Queue = "streamon-executions"

  /** Comes to a listener after all that was posted before. */
  private final case class Reached(latch: CountDownLatch) extends SparkListenerEvent {
    override protected[spark] def logEvent: Boolean = false
  }

  /** What a streaming query was started with. */
  def planOf(query: StreamExecution): LogicalPlan = query.analyzedPlan

  def sessionOf(query: StreamExecution): SparkSession = query.sparkSession
}
