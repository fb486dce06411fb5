package org.streamon.spark

import org.apache.spark.SPARK_VERSION
import org.apache.spark.sql.classic.Dataset
import org.apache.spark.sql.streamon.Plans
import org.streamon.spark.inspection.{Explanation, WhyNot}

/** What the Python package calls. Texts only, so that both sides stay simple. */
object StreamonApi {

  /** Version of this jar. */
  lazy val version: String = Option(getClass.getPackage.getImplementationVersion).getOrElse("unknown")

  def sparkVersion: String = SPARK_VERSION

  /** A JSON array: each filter and join left to Spark with `operator`, `code`, `reason` and `condition`. */
  def whyNot(frame: Dataset[_]): String = WhyNot.json(Plans.of(frame))

  /** The adaptive operators of a frame, for people to read. */
  def explain(frame: Dataset[_]): String = Explanation.of(Plans.of(frame).executedPlan)
}
