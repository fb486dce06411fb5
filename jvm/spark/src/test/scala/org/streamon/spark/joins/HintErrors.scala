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

  /** The same, and where StreaMon is switched off the hint is ignored, unless it changes what is asked for.
    */
  def wrong(sql: String, condition: String, words: String*): Unit = {
    wrong(spark.sql(sql), condition, words: _*)
    if (!sql.contains("STREAM_WINDOW")) withConf("spark.streamon.enabled" -> "false")(spark.sql(sql))
  }
}
