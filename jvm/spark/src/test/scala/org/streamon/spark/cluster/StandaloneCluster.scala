package org.streamon.spark.cluster

import java.io.File
import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit.SECONDS

import scala.jdk.CollectionConverters._
import scala.jdk.StreamConverters._

import org.apache.spark.SparkContext
import org.scalatest.concurrent.Eventually
import org.scalatest.time.{Millis, Seconds, Span}

/** A standalone cluster: a master and some workers, each in a process of its own, on addresses of the
  * loopback interface, which all exist on Linux and need aliases elsewhere. Each worker has a host of its
  * own, since Spark puts no second attempt at a task on the same host, and has room for one executor with one
  * core and 1 GB.
  *
  * @param folder
  *   for what they say and for the files of executors
  */
final class StandaloneCluster(folder: Path, workers: Int) extends AutoCloseable with Eventually {
  import StandaloneCluster._

  implicit override val patienceConfig: PatienceConfig =
    PatienceConfig(timeout = Span(60, Seconds), interval = Span(5, Millis))

  private val master = start("master", "master.Master", "127.0.0.1", Nil)

  val url: String = eventually {
    val said = Files.readString(log("master"))
    Url.findFirstIn(said).getOrElse(throw new IllegalStateException(s"no master:\n$said"))
  }

  private val nodes =
    for (worker <- 1 to workers) yield {
      val own = Seq("--cores", "1", "--memory", "1g", "--work-dir", folder.resolve("work").toString, url)
      start(s"worker$worker", "worker.Worker", s"127.0.0.${worker + 1}", own)
    }

  /** Of a session on all of it. A task may fail as often as the tests have it fail. */
  val confs: Map[String, String] = Map(
    "spark.cores.max" -> workers.toString,
    "spark.executor.memory" -> "1g",
    "spark.executor.extraClassPath" -> ours.mkString(File.pathSeparator),
    // Short lives: little is compiled.
    "spark.executor.extraJavaOptions" -> "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.scheduler.minRegisteredResourcesRatio" -> "1.0",
    "spark.scheduler.maxRegisteredResourcesWaitingTime" -> "120s",
    "spark.task.maxFailures" -> "100",
    "spark.stage.maxConsecutiveAttempts" -> "100"
  )

  /** The processes of executors that live now. */
  def executors: Seq[ProcessHandle] = nodes.flatMap(_.children.toScala(Seq)).filter(_.isAlive)

  /** Kills an executor (SIGKILL). The master has its worker start another. */
  def kill(pid: Long): Unit = {
    val executor = executors.find(_.pid == pid).getOrElse(sys.error(s"no executor $pid"))
    executor.destroyForcibly()
    eventually(if (executor.isAlive) throw new IllegalStateException(s"$pid does not die"))
  }

  /** Waits until there is an executor on each worker. */
  def awaitAll(): Unit =
    eventually(if (executors.size != workers) throw new IllegalStateException(s"$executors"))

  override def close(): Unit = {
    val all = nodes.flatMap(node => node.children.toScala(Seq) :+ node.toHandle) :+ master.toHandle
    all.foreach(_.destroyForcibly())
    all.foreach(_.onExit.get(60, SECONDS))
  }

  private def start(name: String, main: String, host: String, own: Seq[String]): Process = {
    val command = Seq(Path.of(System.getProperty("java.home"), "bin", "java").toString, "-Xmx256m") ++
      Seq("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC") ++
      Seq("-Dspark.master.rest.enabled=false") ++
      // The master says its address at the level `info`.
      Seq("-Dlog4j2.configurationFile=org/apache/spark/log4j2-defaults.properties") ++
      Seq("-cp", s"$spark/*${File.pathSeparator}${System.getProperty("java.class.path")}") ++
      Seq(ClusterNode.getClass.getName.stripSuffix("$"), s"org.apache.spark.deploy.$main") ++
      Seq("--host", host, "--port", "0", "--webui-port", "0") ++ own
    val builder = new ProcessBuilder(command.asJava)
      .directory(folder.toFile)
      .redirectErrorStream(true)
      .redirectOutput(log(name).toFile)
    builder.environment.put("SPARK_HOME", spark.getParent)
    // What Spark's scripts set.
    builder.environment.put("SPARK_SCALA_VERSION", "2.13")
    builder.environment.put("SPARK_LOCAL_IP", host)
    builder.start()
  }

  private def log(name: String): Path = folder.resolve(s"$name.log")
}

object StandaloneCluster {
  private val Url = """spark://127\.0\.0\.1:\d+""".r

  /** Where Spark's jars are: the processes of its own need nothing else. */
  private val spark = new File(
    classOf[SparkContext].getProtectionDomain.getCodeSource.getLocation.toURI
  ).getParentFile

  private val Kafka = Seq("spark-sql-kafka", "spark-token-provider-kafka", "kafka-clients", "commons-pool2")

  /** What executors have beside Spark's jars: StreaMon, its tests, and Spark's source for Kafka. They have it
    * ahead of Spark's jars, so no other library may be among it.
    */
  private val ours = System.getProperty("java.class.path").split(File.pathSeparator).filter { path =>
    new File(path).isDirectory || Kafka.exists(new File(path).getName.startsWith)
  }
}
