package org.streamon.spark.execution.joins

/** Spark 4.2 has no timestamps in nanoseconds. */
trait NanosecondGetters
