package org.streamon.spark.execution.python

import org.apache.spark.sql.execution.metric.SQLMetric

/** Of one filter, in nanoseconds.
  *
  * @param predicates
  *   what each has taken, by written position; of conjuncts without functions an estimate from sampled rows
  * @param trip
  *   processor time of workers to read rows and to answer
  */
private[python] final case class PythonFilterMetrics(predicates: IndexedSeq[SQLMetric], trip: SQLMetric)
