package org.apache.spark.sql.streamon

import java.util.Properties
import java.util.concurrent.{CountDownLatch, TimeUnit}

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.{SparkListener, SparkListenerEvent}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.{QueryExecution, SQLExecution}
import org.apache.spark.sql.execution.streaming.runtime.{IncrementalExecution, StreamExecution}
import org.apache.spark.sql.execution.ui.{SparkListenerSQLExecutionEnd, SparkListenerSQLExecutionStart}
import org.streamon.spark.execution.QueryName

/** Listens to the start and the end of each execution of an application. Spark calls it in its own thread, a
  * little after the event.
  */
abstract class ExecutionListener extends SparkListener {

  /** @param query
    *   the id of the streaming query, or `execution-N`
    */
  protected def heard(query: String, execution: QueryExecution): Unit

  final override def onOtherEvent(event: SparkListenerEvent): Unit = event match {
    case start: SparkListenerSQLExecutionStart =>
      // None where it has ended by now. Its end is heard of next.
      Option(SQLExecution.getQueryExecution(start.executionId)).foreach(hear(start.executionId, _))
    case end: SparkListenerSQLExecutionEnd => Option(end.qe).foreach(hear(end.executionId, _))
    case ExecutionListener.Reached(latch)  => latch.countDown()
    case _                                 =>
  }

  private def hear(id: Long, execution: QueryExecution): Unit = {
    // Those of the thread that made this one are another query's.
    execution.sparkSession.sparkContext.setLocalProperties(new Properties)
    execution match {
      case batch: IncrementalExecution => heard(batch.queryId.toString, batch)
      case _                           => heard(QueryName.ofBatch(id.toString), execution)
    }
  }

  /** Waits until it has heard of all that has happened, for ten seconds at most. */
  final def catchUp(context: SparkContext): Unit = {
    val latch = new CountDownLatch(1)
    context.listenerBus.post(ExecutionListener.Reached(latch))
    latch.await(10, TimeUnit.SECONDS)
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
