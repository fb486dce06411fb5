package org.streamon.spark.rules

import scala.util.control.NonFatal

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.{LiveConf, StreamonConf}
import org.streamon.spark.errors.Refusal
import org.streamon.spark.util.LogOnce

/** A rule that replaces Spark's filters by adaptive ones. If it fails, Spark's own plan stays. */
abstract class FilterRule extends Rule[SparkPlan] {
  def session: SparkSession

  protected def adapt(plan: SparkPlan, conf: SQLConf): SparkPlan

  final override def apply(plan: SparkPlan): SparkPlan =
    try {
      val conf = LiveConf.of(session)
      if (conf.getConf(StreamonConf.Enabled)) adapt(plan, conf) else plan
    } catch {
      case NonFatal(error) =>
        LogOnce.warn(session, "A rule of StreaMon failed, so Spark's own plan is used", error)
        plan
    }

  /** The decision of a planner for a filter. If the planner fails, the filter is refused. */
  protected def decided[A](planned: => Either[Refusal, A]): Either[Refusal, A] =
    try planned
    catch {
      case NonFatal(error) =>
        LogOnce.warn(session, "Planning an adaptive filter failed, so Spark's own filter runs", error)
        Left(Refusal.RuleFailed(error.getMessage))
    }
}
