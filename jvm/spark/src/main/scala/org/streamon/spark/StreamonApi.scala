package org.streamon.spark

import org.apache.spark.sql.classic.Dataset
import org.apache.spark.sql.streamon.Plans
import org.streamon.spark.inspection.{Explanation, WhyNot}

/** What the Python package calls. Texts only, so that both sides stay simple. */
object StreamonApi {

  /** A JSON array: each filter and join left to Spark with `operator`, `code`, `reason` and `condition`. */
  def whyNot(frame: Dataset[_]): String = WhyNot.json(Plans.of(frame))

  /** The adaptive operators of a frame, for people to read. */
  def explain(frame: Dataset[_]): String = Explanation.of(Plans.of(frame).executedPlan)
}
