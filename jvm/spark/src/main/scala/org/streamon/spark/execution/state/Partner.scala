package org.streamon.spark.execution.state

/** The input whose rows are the first that can no longer match a row. If this input has no matching row by
  * then, the row has no more results and can leave.
  *
  * @param dimension
  *   in which both have a key
  * @param offset
  *   milliseconds: rows whose time is up to watermark + offset meet no future row of the partner
  */
final case class Partner(input: Int, dimension: Int, offset: Long)
