package org.streamon.spark.suites

import org.apache.spark.{SparkConf, SparkFunSuite}
import org.apache.spark.sql.test.SharedSparkSession
import org.scalactic.source.Position
import org.scalatest.Tag

/** Without whole-stage code generation. Null checks are then conjuncts of their own, as in Spark, so that
  * nearly every filter of a suite is adaptive.
  */
trait Interpreted extends SharedSparkSession {
  override protected def sparkConf: SparkConf = super.sparkConf.set("spark.sql.codegen.wholeStage", "false")

  /** Why a test fails on Spark alone when it is interpreted. */
  protected def needsGeneratedCode: String = "looks for generated code in the plan"
}

/** A suite that takes too long for `make test`: it runs in `make prove`. */
trait Proof extends SparkFunSuite {
  override protected def test(name: String, tags: Tag*)(body: => Any)(implicit position: Position): Unit =
    super.test(name, tags :+ Tag("org.streamon.tags.Prove"): _*)(body)
}
