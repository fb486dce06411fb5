package org.apache.spark.sql.streamon

import org.apache.spark.SparkContext
import org.apache.spark.sql.execution.{DoNotCleanup, QueryExecution, SQLExecution, SparkPlan}

/** The plan that this thread executes. */
object RunningPlan {

  /** None where Spark does not say, or removes the files of each shuffle that it finds in the plan. */
  def ofShuffles: Option[SparkPlan] =
    execution.filter(_.shuffleCleanupMode == DoNotCleanup).map(_.executedPlan)

  private def execution: Option[QueryExecution] = for {
    context <- SparkContext.getActive
    id <- Option(context.getLocalProperty(SQLExecution.EXECUTION_ID_KEY))
    execution <- Option(SQLExecution.getQueryExecution(id.toLong))
  } yield execution
}
