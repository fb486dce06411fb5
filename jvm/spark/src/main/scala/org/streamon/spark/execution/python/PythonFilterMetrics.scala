package org.streamon.spark.execution.python

import org.apache.spark.sql.execution.metric.SQLMetric

/** Where the worker's time goes, in nanoseconds.
  *
  * @param functions
  *   by predicate
  * @param trip
  *   to read rows and to answer
  */
private[python] final case class PythonFilterMetrics(functions: IndexedSeq[SQLMetric], trip: SQLMetric)
