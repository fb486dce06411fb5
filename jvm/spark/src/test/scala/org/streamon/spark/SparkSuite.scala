package org.streamon.spark

import org.apache.spark.sql.{classic, DataFrame}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.execution.QueryExecution
import org.apache.spark.sql.execution.debug.codegenStringSeq
import org.apache.spark.sql.streamon.Plans
import org.scalatest.{BeforeAndAfterAll, Suite}
import org.streamon.spark.execution.AdaptiveFilterExec
import org.streamon.spark.inspection.{Explanation, RefusedOperator, WhyNot}

/** A local session with StreaMon loaded, for a suite. */
trait SparkSuite extends BeforeAndAfterAll with AdaptiveSparkPlanHelper { self: Suite =>

  lazy val spark: SparkSession =
    SparkSuite.builder("local[2]").config("spark.sql.shuffle.partitions", "2").getOrCreate()

  override def afterAll(): Unit = {
    spark.stop()
    super.afterAll()
  }

  def withConf[T](settings: (String, String)*)(body: => T): T = {
    val before = settings.map { case (key, _) => key -> spark.conf.getOption(key) }
    settings.foreach { case (key, value) => spark.conf.set(key, value) }
    try body
    finally
      before.foreach {
        case (key, Some(value)) => spark.conf.set(key, value)
        case (key, None)        => spark.conf.unset(key)
      }
  }

  /** The rows that stock Spark gives for a query. */
  def stock(sql: String): Seq[String] = withConf("spark.streamon.enabled" -> "false")(rows(spark.sql(sql)))

  def rows(frame: DataFrame): Seq[String] = frame.collect().map(_.toString).toSeq.sorted

  def adaptiveFilters(frame: DataFrame): Seq[AdaptiveFilterExec] =
    collectWithSubqueries(frame.queryExecution.executedPlan) { case f: AdaptiveFilterExec => f }

  /** The execution of a frame, and for a frame of streams that of its first micro-batch. */
  def execution(frame: classic.Dataset[_]): QueryExecution =
    if (frame.isStreaming) Plans.of(frame.sparkSession, frame.queryExecution.analyzed)
    else frame.queryExecution

  def whyNot(frame: classic.Dataset[_]): Seq[RefusedOperator] = WhyNot.of(execution(frame))

  /** The adaptive operators of a frame, as EXPLAIN has it. */
  def explained(frame: classic.Dataset[_]): String =
    Explanation.of(execution(frame)).map(_.description).mkString("\n")

  /** Bytes of the largest method of each stage that code is generated for; -1 where it does not compile. */
  def methodSizes(frame: DataFrame): Seq[Int] =
    codegenStringSeq(frame.queryExecution.executedPlan).map(_._3.maxMethodCodeSize)

  def theAdaptiveFilter(frame: DataFrame): AdaptiveFilterExec = {
    val found = adaptiveFilters(frame)
    assert(found.size == 1, frame.queryExecution.executedPlan)
    found.head
  }
}

object SparkSuite {

  /** Of a session with StreaMon loaded that talks to loopback only. */
  def builder(master: String): SparkSession.Builder = SparkSession
    .builder()
    .master(master)
    .config("spark.sql.extensions", classOf[StreamonExtensions].getName)
    .config("spark.ui.enabled", "false")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.sql.codegen.fallback", "false") // generated code that does not compile is an error
    .config(LocalFiles.confs)
}
