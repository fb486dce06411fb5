package org.streamon.spark.joins

import org.apache.spark.sql.DataFrame
import org.streamon.spark.SparkSuite
import org.streamon.spark.errors.HintError
import org.scalatest.funsuite.AnyFunSuite

/** Hints that cannot be meant as they are written. */
trait HintErrors { self: AnyFunSuite with SparkSuite =>

  /** A frame is refused by an error class, in a text that has these words. */
  def wrong(sql: => DataFrame, condition: String, words: String*): Unit = {
    val error = intercept[HintError](sql)
    assert(error.getCondition == condition, error.getMessage)
    words.foreach(w => assert(error.getMessage.contains(w), error.getMessage))
  }

  def wrong(sql: String, condition: String, words: String*): Unit =
    wrong(spark.sql(sql), condition, words: _*)
}
