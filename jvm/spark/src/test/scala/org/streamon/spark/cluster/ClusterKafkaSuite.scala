package org.streamon.spark.cluster

import java.util.concurrent.ConcurrentHashMap

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.spark.sql.streaming.Trigger
import org.apache.spark.sql.{DataFrame, Row}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.joins.recovery.{Broker, Cuts, Disturbed, Life, ThreeStreams, Undisturbed}
import org.streamon.tags.Prove

/** As [[ClusterJoinSuite]], from topics of a real broker. */
class ClusterKafkaSuite extends AnyFunSuite with Undisturbed with Disturbances {
  private val batches = 24

  test("from Kafka, each disturbance three times", Prove) {
    val in = new ThreeStreams(1L, batches)
    inFolder { folder =>
      Using.resource(new Broker(folder)) { broker =>
        for ((name, lines) <- in.lines) broker.send(name, lines.flatten)
        for (name <- ThreeStreams.Names)
          ThreeStreams
            .view(Life.lines(spark, s"kafka:${broker.address}", name))
            .createOrReplaceTempView(name)
        val results = new ConcurrentHashMap[Long, Seq[Row]]
        val keep: (DataFrame, Long) => Unit = (rows, id) => { results.put(id, rows.collect().toSeq); () }
        withConf(rocksdb +: Disturbed.plain.confs: _*) {
          val query = spark
            .sql(Disturbed.plain.sql.replace("a.k, a.v", "gate(a.k) k, a.v"))
            .writeStream
            .foreachBatch(keep)
            .option("checkpointLocation", folder.resolve("checkpoint").toString)
            .trigger(Trigger.AvailableNow())
            .start()
          try {
            for (_ <- 0 until 3; disturbance <- disturbances)
              disturb(disturbance, Gate.Row)(()) {
                val done = results.size
                eventually(assert(results.size > done))
              }
            assert(query.awaitTermination(180000L))
            assert(mjoins(query).nonEmpty && results.size >= batches)
          } finally query.stop()
        }
        val found = results.values.asScala.flatten.map(_.toString).toSeq.sorted
        assert(found == undisturbed(Disturbed.plain, in, Cuts.even(batches)))
      }
    }
  }
}
