package org.streamon.spark.joins.recovery

import java.net.{InetAddress, ServerSocket}
import java.nio.file.Path
import java.util.Properties

import scala.jdk.CollectionConverters._
import scala.util.Using

import kafka.server.{KafkaConfig, KafkaRaftServer}
import org.apache.kafka.clients.producer.{KafkaProducer, ProducerRecord}
import org.apache.kafka.common.Uuid
import org.apache.kafka.common.serialization.StringSerializer
import org.apache.kafka.common.utils.Time
import org.apache.kafka.metadata.storage.Formatter

/** A broker of Kafka inside the test: one node that is its own controller (KRaft), on free ports of the
  * loopback interface. Topics come into being with what is sent to them, with one partition.
  *
  * @param folder
  *   for its logs
  */
final class Broker(folder: Path) extends AutoCloseable {
  private val (port, controllerPort) = Broker.twoFreePorts()

  val address: String = s"127.0.0.1:$port"

  private val logs = folder.resolve("kafka").toString

  private val config = {
    val properties = new Properties
    properties.putAll(
      Map(
        "process.roles" -> "broker,controller",
        "node.id" -> "1",
        "controller.quorum.voters" -> s"1@127.0.0.1:$controllerPort",
        "controller.listener.names" -> "CONTROLLER",
        "listeners" -> s"PLAINTEXT://$address,CONTROLLER://127.0.0.1:$controllerPort",
        "listener.security.protocol.map" -> "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
        "log.dirs" -> logs,
        "num.partitions" -> "1",
        "offsets.topic.replication.factor" -> "1",
        "offsets.topic.num.partitions" -> "1"
      ).asJava
    )
    new KafkaConfig(properties)
  }

  private val server = {
    new Formatter()
      .setNodeId(1)
      .setClusterId(Uuid.randomUuid().toString)
      .addDirectory(logs)
      .setMetadataLogDirectory(logs)
      .setControllerListenerName("CONTROLLER")
      .run()
    new KafkaRaftServer(config, Time.SYSTEM)
  }
  server.startup()

  /** Sends values to a topic, in order, and waits until the broker has them. */
  def send(topic: String, values: Seq[String]): Unit = {
    val settings = Map[String, AnyRef]("bootstrap.servers" -> address, "acks" -> "all")
    val strings = new StringSerializer
    Using.resource(new KafkaProducer(settings.asJava, strings, strings)) { producer =>
      values.map(value => producer.send(new ProducerRecord(topic, null: String, value))).foreach(_.get())
    }
  }

  override def close(): Unit = {
    server.shutdown()
    server.awaitShutdown()
  }
}

object Broker {

  /** That nobody listens on, now. */
  private def twoFreePorts(): (Int, Int) =
    Using.resources(free(), free())((one, other) => (one.getLocalPort, other.getLocalPort))

  private def free() = new ServerSocket(0, 1, InetAddress.getLoopbackAddress)
}
