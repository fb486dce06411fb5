package org.streamon.spark.cluster

import java.util.concurrent.ConcurrentHashMap

import org.apache.spark.sql.streaming.Trigger
import org.apache.spark.sql.{DataFrame, Row}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.joins.StreamingJoins
import org.streamon.tags.Prove

/** More state than executors of 1 GB have room for. */
class ClusterMemorySuite extends AnyFunSuite with OnCluster with StreamingJoins {
  private val names = Seq("a", "b", "c")

  /** About 1.5 GB in all as it lies in memory, in three executors that use 0.3 of a heap of 1 GB for it. */
  private val rowsOfEach = 1200000L

  private val sql =
    "SELECT /*+ MJOIN */ a.k, a.v av, b.v bv, c.v cv FROM a JOIN b ON a.k = b.k JOIN c ON b.k = c.k"

  test("one micro-batch with all of it ends", Prove) {
    inCheckpoint { checkpoint =>
      val folder = checkpoint.getParent
      for (name <- names)
        spark
          .range(0, rowsOfEach, 1, 6)
          .selectExpr("id AS k", s"concat('$name', repeat(CAST(id AS STRING), 40)) AS v")
          .write
          .parquet(s"$folder/$name")
      val results = new ConcurrentHashMap[Long, Row]
      val sums =
        (rows: DataFrame) => rows.selectExpr("count(1)", "sum(xxhash64(k, av, bv, cv) % 1000003)").head()
      val keep: (DataFrame, Long) => Unit = (rows, id) => { results.put(id, sums(rows)); () }
      for (name <- names)
        spark.readStream.schema("k LONG, v STRING").parquet(s"$folder/$name").createOrReplaceTempView(name)
      spark.conf.set("spark.sql.shuffle.partitions", "3")
      val executors = cluster.executors.map(_.pid).toSet
      val query = spark
        .sql(sql)
        .writeStream
        .foreachBatch(keep)
        .option("checkpointLocation", checkpoint.toString)
        .trigger(Trigger.AvailableNow())
        .start()
      try assert(query.awaitTermination(540000L))
      finally query.stop()
      assert(mjoins(query).nonEmpty && results.size == 1)
      assert(cluster.executors.map(_.pid).toSet == executors, "an executor has died")
      val state = query.recentProgress.flatMap(_.stateOperators).head
      assert(state.numRowsTotal == names.size * rowsOfEach)
      // Each has a text of 240 bytes, and in memory are fewer bytes than these texts alone.
      val inMemory = state.customMetrics.get("mjoinMirrorBytes").longValue
      assert(inMemory < state.numRowsTotal * 240, "bytes: the rest is read from the store")
      for (name <- names) spark.read.parquet(s"$folder/$name").createOrReplaceTempView(name)
      val expected = withConf("spark.streamon.enabled" -> "false")(sums(spark.sql(sql)))
      assert(expected.getLong(0) == rowsOfEach && results.get(0L) == expected)
    }
  }
}
