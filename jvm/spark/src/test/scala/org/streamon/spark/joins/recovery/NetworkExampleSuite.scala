package org.streamon.spark.joins.recovery

import java.io.File
import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit.SECONDS

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.spark.network.util.JavaUtils
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.tags.Prove

/** `examples/joins_kafka.py` through topics of a real broker, by the Python of `.venv`. */
class NetworkExampleSuite extends AnyFunSuite {
  private val seconds = 300L

  /** What Spark's source and sink for Kafka are made of, which a user names by `--packages`. */
  private val connector =
    Seq("spark-sql-kafka-0-10", "spark-token-provider-kafka-0-10", "kafka-clients", "commons-pool2")

  test("the example of a network, through Kafka", Prove) {
    val folder = Files.createTempDirectory("streamon")
    try {
      val lines = Using.resource(new Broker(folder))(broker => example(folder, broker.address))
      assert(lines.contains("equal answers: True"), lines.mkString("\n"))
      val minutes = lines.map(_.trim.split(" +")).filter(_.head.matches("\\d+")).map(_.map(_.toLong))
      assert(minutes.map(_.head) == Seq(0, 1, 2))
      val Seq(through, mjoin, chain) = minutes.last.toSeq.drop(2): @unchecked
      assert(through > 0)
      assert(mjoin < chain)
    } finally JavaUtils.deleteRecursively(folder.toFile)
  }

  private def example(folder: Path, bootstrap: String): Seq[String] = {
    val project = projectFolder
    val python = project.resolve(".venv/bin/python")
    assert(Files.exists(python), "make .venv/dev installs it")
    val said = folder.resolve("said").toFile
    val builder = new ProcessBuilder(python.toString, s"$project/examples/joins_kafka.py")
    builder.command.addAll(
      Seq("--minutes", "3", "--packets", "300", "--bootstrap", bootstrap).asJava
    )
    builder.environment.putAll(
      Map(
        "PYSPARK_SUBMIT_ARGS" -> s"--jars ${connectorJars.mkString(",")} pyspark-shell",
        "PYSPARK_PYTHON" -> python.toString,
        "SPARK_LOCAL_IP" -> "127.0.0.1"
      ).asJava
    )
    val process = builder.directory(folder.toFile).redirectErrorStream(true).redirectOutput(said).start()
    def lines = Files.readAllLines(said.toPath).asScala.toSeq
    try assert(process.waitFor(seconds, SECONDS) && process.exitValue() == 0, lines.mkString("\n"))
    finally {
      process.descendants.forEach(child => { val _ = child.destroyForcibly() })
      process.destroyForcibly().waitFor(60, SECONDS)
    }
    lines
  }

  private def connectorJars: Seq[String] = {
    val all = System.getProperty("java.class.path").split(File.pathSeparator)
    for (name <- connector)
      yield all
        .find(new File(_).getName.matches(s"$name(_2\\.13)?-[0-9.]+\\.jar"))
        .getOrElse(fail(s"$name is not on the class path"))
  }

  private def projectFolder: Path =
    Iterator
      .iterate(Path.of("").toAbsolutePath)(_.getParent)
      .find(folder => Files.exists(folder.resolve("examples")))
      .get
}
