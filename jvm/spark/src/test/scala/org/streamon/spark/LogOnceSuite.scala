package org.streamon.spark

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.{FilterExec, LocalTableScanExec}
import org.apache.spark.sql.types.LongType
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.rules.AdaptFilters
import org.streamon.spark.util.LogOnce

/** What goes wrong in a rule is said once for each cause, to each user. */
class LogOnceSuite extends AnyFunSuite with SparkSuite {
  private val id = AttributeReference("id", LongType)()
  private val condition = And(GreaterThan(id, Literal(3L)), LessThan(id, Literal(9L)))

  /** Plans a filter for each of the causes, which is a bad number in a setting. */
  private def warnings(session: SparkSession, causes: Range): Seq[String] = {
    session.conf.set("spark.streamon.filter.mode", "always")
    Warnings.during {
      for (cause <- causes) {
        session.conf.set("spark.streamon.filter.forcedOrder", s"${100000000000L + cause}")
        AdaptFilters(session)(FilterExec(condition, LocalTableScanExec(Seq(id), Nil, None)))
      }
    }
  }

  test("a cause is said once in each session, and again when a thousand others came meanwhile") {
    assert(
      warnings(spark, 0 to 0).map(_.takeWhile(_ != ',')) == Seq("Planning an adaptive filter failed")
    )
    assert(warnings(spark, 0 to 0).isEmpty)
    assert(warnings(spark.newSession(), 0 to 0).size == 1)
    assert(warnings(spark, 1 to 1000).size == 1000)
    assert(warnings(spark, 1 to 1000).isEmpty)
    assert(warnings(spark, 0 to 0).size == 1)
  }

  test("causes that differ in an id that was drawn are one") {
    def cause(name: String) = new java.io.IOException(s"no file $name.tmp")
    val session = spark.newSession()
    def said(names: Seq[String]) =
      Warnings.during(names.foreach(n => LogOnce.warn(session, "Not written", cause(n))))
    assert(said(Seq.fill(3)(java.util.UUID.randomUUID.toString)).size == 1)
    assert(said(Seq("a", "b")).size == 2)
  }
}
