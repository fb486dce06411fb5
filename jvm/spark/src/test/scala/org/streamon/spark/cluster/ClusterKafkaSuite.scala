package org.streamon.spark.cluster

import scala.util.Using

import org.apache.spark.sql.streamon.BetweenBatches
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.joins.recovery.{
  Broker,
  Cuts,
  Disturbed,
  Life,
  Moment,
  Progress,
  ThreeStreams,
  Undisturbed,
  WatchedFiles
}
import org.streamon.tags.Prove

/** As [[ClusterJoinSuite]], from topics of a real broker. */
class ClusterKafkaSuite extends AnyFunSuite with Undisturbed with Disturbances {
  private val batches = 20

  test("from Kafka, each disturbance three times", Prove) {
    val in = new ThreeStreams(1L, batches)
    inFolder { folder =>
      Using.resource(new Broker(folder)) { broker =>
        for ((name, lines) <- in.lines) broker.send(name, lines.head)
        for (name <- ThreeStreams.Names)
          ThreeStreams
            .view(Life.lines(spark, s"kafka:${broker.address}", name))
            .createOrReplaceTempView(name)
        withConf((rocksdb +: WatchedFiles.confs) ++ Disturbed.plain.confs: _*) {
          val runs = new Runs(spark.sql(Disturbed.plain.through("gate").sql), folder.resolve("checkpoint"))
          val query = runs.start()
          def bring(batch: Int) = BetweenBatches(query) {
            for ((name, lines) <- in.lines) broker.send(name, lines(batch))
          }
          try {
            val all = Seq.fill(3)(disturbances).flatten
            for (batch <- 1 until batches) {
              runs.settle()
              if (batch < 4 || batch - 4 >= all.size) bring(batch)
              else {
                val disturbance = all(batch - 4)
                // A task that is overtaken between rows ends at the next one, without a commit.
                val place =
                  if (disturbance == Overtake)
                    new Moment.State(0, there = false).at(Progress.of(folder).offsets)
                  else Gate.Row
                disturb(disturbance, place)(bring(batch))(runs.settle())
              }
            }
            runs.settle()
            assert(runs.operators.nonEmpty)
            assert(runs.rows == undisturbed(Disturbed.plain, in, Cuts.even(batches)))
          } finally runs.stop()
        }
      }
    }
  }
}
