package org.streamon.spark.cluster

import java.nio.file.{Files, Path}

import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.classic.SparkSession
import org.scalatest.Suite
import org.scalatest.concurrent.Eventually
import org.scalatest.time.{Millis, Seconds, Span}
import org.streamon.spark.SparkSuite

/** A session on a cluster of three executors of 1 GB, each in a process of its own, that a test may kill,
  * decommission or hold. Speculation is on.
  */
trait OnCluster extends SparkSuite with Eventually { self: Suite =>
  private lazy val home: Path = Files.createTempDirectory("streamon-cluster")
  private lazy val gates: Path = Files.createDirectory(home.resolve("gates"))

  lazy val cluster = new StandaloneCluster(home, workers = 3)
  lazy val gate = new Gate(gates.toString)

  implicit override val patienceConfig: PatienceConfig =
    PatienceConfig(timeout = Span(60, Seconds), interval = Span(5, Millis))

  override lazy val spark: SparkSession = {
    val session = SparkSuite
      .builder(cluster.url)
      .config(cluster.confs)
      .config(
        "spark.executor.extraJavaOptions",
        s"${cluster.confs("spark.executor.extraJavaOptions")} -D${Gate.Property}=$gates"
      )
      .config("spark.sql.shuffle.partitions", "2")
      .config("spark.speculation", "true")
      .config("spark.decommission.enabled", "true")
      .config("spark.storage.decommission.enabled", "true")
      .getOrCreate()
    session.udf.register("gate", gate.row)
    session
  }

  override def afterAll(): Unit =
    try super.afterAll()
    finally {
      cluster.close()
      JavaUtils.deleteRecursively(home.toFile)
    }
}
