package org.streamon.spark;

import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import scala.runtime.BoxedUnit;

/**
 * Adds StreaMon to a session on a Spark that its jar is built for. On any other Spark it only logs the reason, and
 * queries run on Spark alone. It is loaded by {@code spark.sql.extensions=org.streamon.spark.StreamonExtensions}, by
 * the class path (ServiceLoader), or by both; the second load injects nothing.
 *
 * <p>This class and {@link SparkLine} must load on every Spark from 3.2 on, also with Java 8 and Scala 2.12. So they
 * are written in Java, and use only classes that all of these versions have.
 */
public final class StreamonExtensions implements SparkSessionExtensionsProvider {
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    if (SparkLine.isAtHome()) {
      Injections.into(extensions);
    }
    return BoxedUnit.UNIT;
  }
}
