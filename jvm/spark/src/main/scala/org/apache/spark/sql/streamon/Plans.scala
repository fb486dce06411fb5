package org.apache.spark.sql.streamon

import java.util.UUID

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.{DataFrame, Dataset, SparkSession}
import org.apache.spark.sql.execution.{CommandExecutionMode, QueryExecution}
import org.apache.spark.sql.execution.streaming.checkpointing.OffsetSeqMetadata
import org.apache.spark.sql.execution.streaming.runtime.{IncrementalExecution, WatermarkPropagator}
import org.apache.spark.sql.streaming.OutputMode

/** Executions of plans. */
object Plans {

  /** The frame of an analyzed plan. */
  def frame(session: SparkSession, analyzed: LogicalPlan): DataFrame = Dataset.ofRows(session, analyzed)

  /** The execution of a plan that has been analyzed, and for a plan of streams that of its first micro-batch,
    * as EXPLAIN has it. Nothing is executed.
    */
  def of(session: SparkSession, analyzed: LogicalPlan): QueryExecution = {
    // Marks it as analyzed, so that no rule is applied to it again.
    session.sessionState.analyzer.checkAnalysis(analyzed)
    if (analyzed.isStreaming) firstBatch(session, analyzed)
    else session.sessionState.executePlan(analyzed, CommandExecutionMode.SKIP)
  }

  private def firstBatch(session: SparkSession, plan: LogicalPlan) = new IncrementalExecution(
    session,
    plan,
    OutputMode.Append(),
    "<unknown>",
    UUID.randomUUID,
    UUID.randomUUID,
    0,
    None,
    OffsetSeqMetadata(0, 0),
    WatermarkPropagator.noop(),
    isFirstBatch = false
  )
}
