package org.streamon.spark

import java.util.Properties

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.spark.SPARK_VERSION
import org.apache.xbean.asm9.ClassReader
import org.scalatest.funsuite.AnyFunSuite

/** What decides whether StreaMon works on a Spark. That it does nothing on others,
  * `tests/test_other_sparks.py` tries.
  */
class SparkLineSuite extends AnyFunSuite {
  private val here = SparkLine.built
  private val lines = {
    val own = new Properties
    Using.resource(getClass.getResourceAsStream("/org/streamon/spark/line.properties"))(own.load)
    own.getProperty("supported").split(' ').toSeq
  }
  private val other = lines.filter(_ != here).head

  private def jar(version: String, spark: String): Properties = {
    val properties = new Properties
    properties.putAll(Map("version" -> version, "spark" -> spark).asJava)
    properties
  }

  private def refusal(running: String, jars: Properties*): Option[String] =
    Option(SparkLine.refusal(running, jars.asJava))

  test("the Spark of these tests is the one that StreaMon was compiled for") {
    assert(SparkLine.running == SPARK_VERSION)
    assert(SPARK_VERSION.startsWith(s"$here."))
    assert(SparkLine.refusal == null)
    val sparks = getClass.getClassLoader.getResources("spark-version-info.properties").asScala
    assert(sparks.size == 1, "no other Spark is on the class path")
  }

  test("every version of the line is at home, a vendor's too") {
    for (running <- Seq(s"$here.0", s"$here.7", s"$here.1-vendor-3", s"$here-SNAPSHOT".replace("-", ".")))
      assert(refusal(running, jar("1.0", here)).isEmpty, running)
  }

  test("a Spark that no jar is for is told which there are") {
    for (running <- Seq("3.5.9", "4.1.4", "4.30.0", "5.0.0", "unknown"))
      assert(
        refusal(running, jar("1.0", here)).contains(
          s"StreaMon ${SparkLine.version} is for Spark ${lines.mkString(" and ")} and this is Spark $running, so it does nothing " +
            "here: use a supported version of Spark."
        )
      )
  }

  test("the jar for another Spark is told from the right one") {
    assert(
      refusal(s"$other.0", jar("1.0", here)).contains(
        s"This jar of StreaMon ${SparkLine.version} is for Spark $here and this is Spark $other.0, so it does nothing here: " +
          s"use the jar for Spark $other, whose path `streamon jar --spark $other` prints."
      )
    )
  }

  test("two jars are one too many, unless they are the same") {
    assert(
      refusal(s"$here.0", jar("1.0", here), jar("1.1", here), jar("1.0", other)).contains(
        "There are several jars of StreaMon on the class path (1.0 for Spark " + here + ", 1.1 for Spark " + here +
          s", 1.0 for Spark $other), so it does nothing here: keep only the jar for Spark $here, " +
          s"whose path `streamon jar --spark $here` prints."
      )
    )
  }

  test("the classes that decide load on Java 8, and name nothing that a Spark lacks") {
    for (decides <- Seq(classOf[StreamonExtensions], classOf[SparkLine])) {
      val file = s"/${decides.getName.replace('.', '/')}.class"
      val reader = Using.resource(decides.getResourceAsStream(file))(new ClassReader(_))
      assert(reader.readUnsignedShort(6) == 52, "the class file's version")
      val named = (1 until reader.getItemCount).map(reader.getItem).collect {
        // A class in the pool of constants.
        case item if item > 0 && reader.readByte(item - 1) == 7 =>
          reader.readUTF8(item, new Array[Char](1024))
      }
      val others = named.filterNot(name => name.startsWith("java/") || name.startsWith("[Ljava/")).toSet
      assert(
        others.subsetOf(
          Set(
            "org/apache/spark/sql/SparkSessionExtensions",
            "org/apache/spark/sql/SparkSessionExtensionsProvider",
            "scala/runtime/BoxedUnit",
            "org/slf4j/Logger",
            "org/slf4j/LoggerFactory",
            "org/streamon/spark/Injections",
            "org/streamon/spark/SparkLine",
            "org/streamon/spark/StreamonExtensions"
          )
        ),
        others
      )
    }
  }
}
