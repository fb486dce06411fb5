package org.apache.spark.sql.streamon

import org.apache.spark.sql.errors.QueryCompilationErrors

/** Spark's own error classes, for mistakes that Spark has a class for. */
object AnalysisErrors {

  /** `WRONG_NUM_ARGS`: a function that takes no arguments was given some. */
  def takesNoArguments(function: String, actual: Int): Throwable =
    QueryCompilationErrors.wrongNumArgsError(function, Seq(0), actual)
}
