package org.streamon.spark.joins.recovery

import scala.util.Using

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite
import org.streamon.spark.joins.StreamingJoins
import org.streamon.tags.Prove

/** As [[KillSuite]], from topics of a real broker, which lives on while the query is killed. */
class KafkaKillSuite extends AnyFunSuite with SparkSuite with StreamingJoins with Killing {

  test("killed once, from Kafka") {
    survive(seed.getOrElse(1L), kills = 1, format = "2")
  }

  for (format <- Seq("1", "2"))
    test(s"killed twenty times, from Kafka, checkpoint format $format", Prove) {
      survive(seed.getOrElse(System.nanoTime()), kills = 20, format)
    }

  private def survive(seed: Long, kills: Int, format: String): Unit = inFolder { folder =>
    val in = new ThreeStreams(seed, batchesFor(kills))
    Using.resource(new Broker(folder)) { broker =>
      for ((name, batches) <- in.lines) broker.send(name, batches.flatten)
      surviving(seed, in, folder, s"kafka:${broker.address}", kills, format, Disturbed.plain)
    }
  }
}
