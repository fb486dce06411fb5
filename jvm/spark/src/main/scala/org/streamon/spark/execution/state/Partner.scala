package org.streamon.spark.execution.state

/** Another input whose rows are the first that can no longer come for a row. If it has no row for it then,
  * the row has no results any more.
  *
  * @param dimension
  *   in which both have a key
  * @param offset
  *   milliseconds: rows whose time is up to watermark + offset meet no future row of the partner
  */
final case class Partner(input: Int, dimension: Int, offset: Long)
