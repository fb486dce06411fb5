package org.streamon.spark

import org.apache.spark.sql.{SparkSessionExtensions, SparkSessionExtensionsProvider}

class StreamonExtensions extends SparkSessionExtensionsProvider {
  override def apply(extensions: SparkSessionExtensions): Unit = ()
}
