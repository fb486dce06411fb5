package org.streamon.spark.joins

import org.apache.spark.sql.DataFrame
import org.streamon.spark.SparkSuite
import org.streamon.spark.errors.HintError
import org.scalatest.funsuite.AnyFunSuite

/** Checks of invalid hints. */
trait HintErrors { self: AnyFunSuite with SparkSuite =>

  /** Checks that a frame fails with this error class, and that the message contains these words. */
  def wrong(sql: => DataFrame, condition: String, words: String*): Unit = {
    val error = intercept[HintError](sql)
    assert(error.getCondition == condition, error.getMessage)
    words.foreach(w => assert(error.getMessage.contains(w), error.getMessage))
  }

  /** The same. If StreaMon is switched off, the hint must be ignored, except for `STREAM_WINDOW`. */
  def wrong(sql: String, condition: String, words: String*): Unit = {
    wrong(spark.sql(sql), condition, words: _*)
    if (!sql.contains("STREAM_WINDOW")) withConf("spark.streamon.enabled" -> "false")(spark.sql(sql))
  }
}
