package org.apache.spark.sql.streamon

import org.apache.spark.SparkContext

object Events {

  /** Returns when every listener has heard of everything so far. */
  def heard(context: SparkContext): Unit = context.listenerBus.waitUntilEmpty()
}
