package org.streamon.spark.matching

import org.apache.spark.sql.DataFrame
import org.scalatest.Suite
import org.streamon.spark.SparkSuite

/** Tables of rules, and of rows, by name. */
trait RulesView extends SparkSuite { self: Suite =>
  private lazy val session = spark
  import session.implicits._

  def view(name: String, frame: DataFrame): Unit = frame.createOrReplaceTempView(name)

  /** The view `rules` has these, each a name and a condition. */
  def rules(all: (String, String)*): Unit = view("rules", all.toDF("rule", "condition"))
}
