package org.streamon.spark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import org.apache.spark.sql.SparkSessionExtensions;
import org.slf4j.LoggerFactory;

/** The line of Spark ({@code major.minor}) that this jar is built for, and a check of the Spark that runs. */
public final class SparkLine {
  private static final String RESOURCE = "org/streamon/spark/line.properties";
  private static final Properties OWN = read(SparkLine.class.getClassLoader().getResource(RESOURCE));

  private static boolean hasSaid;

  private SparkLine() {}

  /** The version of StreaMon. */
  public static String version() {
    return OWN.getProperty("version");
  }

  /** The line that this jar is built for. */
  public static String built() {
    return OWN.getProperty("spark");
  }

  /** The version of the Spark that runs, or {@code unknown}. */
  public static String running() {
    // Spark's own class for this differs from version to version; the file that it reads does not.
    ClassLoader spark = SparkSessionExtensions.class.getClassLoader();
    return read(spark.getResource("spark-version-info.properties")).getProperty("version", "unknown");
  }

  /** Why StreaMon is inactive here, with both versions and the next step; null if it is active. */
  public static String refusal() {
    return refusal(running(), jars());
  }

  static String refusal(String running, List<Properties> jars) {
    if (OWN.isEmpty()) {
      return "This jar of StreaMon has no file " + RESOURCE + ", so it does nothing here: use an unchanged jar of StreaMon.";
    }
    String line = lineOf(running);
    if (!supported().contains(line)) {
      return String.format(
          "StreaMon %s is for Spark %s and this is Spark %s, so it does nothing here: use a supported version of Spark.",
          version(), String.join(" and ", supported()), running);
    }
    if (jars.size() > 1) {
      List<String> found = new ArrayList<>();
      jars.forEach(jar -> found.add(jar.getProperty("version") + " for Spark " + jar.getProperty("spark")));
      return String.format(
          "There are several jars of StreaMon on the class path (%s), so it does nothing here: keep only the jar for"
              + " Spark %s, whose path `streamon jar --spark %s` prints.",
          String.join(", ", found), line, line);
    }
    if (!built().equals(line)) {
      return String.format(
          "This jar of StreaMon %s is for Spark %s and this is Spark %s, so it does nothing here: use the jar for"
              + " Spark %s, whose path `streamon jar --spark %s` prints.",
          version(), built(), running, line, line);
    }
    return null;
  }

  /** Whether StreaMon supports this Spark. If not, the log gives the reason once. */
  static synchronized boolean isAtHome() {
    String refusal = refusal();
    if (refusal != null && !hasSaid) {
      hasSaid = true;
      LoggerFactory.getLogger(StreamonExtensions.class).warn(refusal);
    }
    return refusal == null;
  }

  private static List<String> supported() {
    List<String> lines = new ArrayList<>();
    Collections.addAll(lines, OWN.getProperty("supported").split(" "));
    return lines;
  }

  /** {@code 4.3} of {@code 4.3.1-vendor}. */
  private static String lineOf(String version) {
    String[] parts = version.split("\\.", 3);
    return parts.length < 2 ? version : parts[0] + "." + parts[1];
  }

  /** What all the different jars of StreaMon that a session can see say of themselves. */
  private static List<Properties> jars() {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    ClassLoader all = context == null ? SparkLine.class.getClassLoader() : context;
    List<Properties> found = new ArrayList<>();
    try {
      for (URL url : Collections.list(all.getResources(RESOURCE))) {
        Properties jar = read(url);
        if (!found.contains(jar)) {
          found.add(jar);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  private static Properties read(URL resource) {
    Properties properties = new Properties();
    if (resource != null) {
      try (InputStream in = resource.openStream()) {
        properties.load(in);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return properties;
  }
}
