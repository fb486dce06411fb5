package org.streamon.spark.execution.joins

import org.apache.spark.unsafe.types.TimestampNanosVal

/** The getters of timestamps in nanoseconds, which rows have since Spark 4.3. */
trait NanosecondGetters { self: CombinedRow =>
  override def getTimestampNTZNanos(i: Int): TimestampNanosVal = row(i).getTimestampNTZNanos(fields(i))
  override def getTimestampLTZNanos(i: Int): TimestampNanosVal = row(i).getTimestampLTZNanos(fields(i))
}
