package org.streamon.spark.execution.python

import org.json4s.{DefaultFormats, Formats}
import org.json4s.jackson.JsonMethods.parse

/** What the worker tells of one batch (`profile.py`). Arrays by written position.
  *
  * @param version
  *   of the order that it followed
  * @param evaluations
  *   of rows in turn, and of sampled rows out of turn
  * @param drops
  *   in turn
  * @param nanos
  *   mean nanoseconds of an evaluation; 0 when unknown
  * @param samples
  *   for each sampled row the predicates that drop it, a bit each
  * @param extraNanos
  *   that evaluations out of turn took
  * @param reevaluated
  *   rows on which all functions were called, since one of the batch had raised
  */
private[python] final case class PythonReport(
    version: Long,
    rows: Long,
    evaluations: Array[Long],
    drops: Array[Long],
    nanos: Array[Long],
    samples: Array[Long],
    extraNanos: Long,
    reevaluated: Long
)

private[python] object PythonReport {
  private implicit val formats: Formats = DefaultFormats

  def apply(json: String): PythonReport = parse(json).extract[PythonReport]
}
