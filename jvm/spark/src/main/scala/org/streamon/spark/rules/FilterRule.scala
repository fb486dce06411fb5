package org.streamon.spark.rules

import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.{LiveConf, StreamonConf}
import org.streamon.spark.errors.Refusal
import org.streamon.spark.util.LogOnce

/** A rule that puts adaptive filters in the place of those of Spark. A failure leaves Spark's own plan. */
abstract class FilterRule extends Rule[SparkPlan] {
  def session: SparkSession

  protected def adapt(plan: SparkPlan, conf: SQLConf): SparkPlan

  final override def apply(plan: SparkPlan): SparkPlan =
    try {
      val conf = LiveConf.of(session)
      if (conf.getConf(StreamonConf.Enabled)) adapt(plan, conf) else plan
    } catch {
      case NonFatal(error) =>
        LogOnce.warn(session, "StreaMon leaves a plan to Spark", error)
        plan
    }

  /** What a planner says of a filter; a failure of its is a refusal. */
  protected def decided[A](planned: => Either[Refusal, A]): Either[Refusal, A] =
    try planned
    catch {
      case NonFatal(error) =>
        LogOnce.warn(session, "An adaptive filter could not be planned, so Spark's own runs", error)
        Left(Refusal.RuleFailed(error.getMessage))
    }
}
