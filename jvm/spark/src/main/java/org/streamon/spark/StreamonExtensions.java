package org.streamon.spark;

import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import scala.runtime.BoxedUnit;

/**
 * Adds StreaMon to a session, on a Spark that its jar is built for; on any other it does nothing but say so, and
 * every query is Spark's alone. Loaded by {@code spark.sql.extensions=org.streamon.spark.StreamonExtensions}, by being
 * on the class path (ServiceLoader), or both: what is loaded second injects nothing.
 *
 * <p>This class and {@link SparkLine} are loaded on every Spark from 3.2 on, on Java 8 and with Scala 2.12 too. So they
 * are written in Java, and name nothing that one of these Sparks lacks.
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
