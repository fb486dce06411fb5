package org.streamon.spark.joins

import java.io.IOException
import java.nio.file.Files

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FSDataInputStream, Path}
import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.execution.streaming.checkpointing.FileContextBasedCheckpointFileManager
import org.apache.spark.sql.functions.col
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite
import org.streamon.spark.execution.joins.MirrorRegistry

/** The state of an MJoin: in the checkpoint, in memory, and from one start to the next. */
class StateSuite extends AnyFunSuite with SparkSuite with StreamingJoins {
  private lazy val session = spark
  import session.implicits._

  private val three = Seq("a", "b", "c")
  private val sql = "SELECT /*+ MJOIN */ a.k, a.v, b.v, c.v FROM a JOIN b ON a.k = b.k JOIN c ON a.k = c.k"

  private def streams(names: Seq[String] = three): Streams[(Int, String)] =
    new Streams[(Int, String)](session, names)((_, raw) => raw.toDF("k", "v"))

  for {
    format <- Seq("1", "2")
    changelog <- Seq("true", "false")
  }
    test(
      s"restarts: checkpoint format $format, changelog $changelog; mirrors kept, lost, and of another state"
    ) {
      withConf(
        "spark.sql.streaming.stateStore.checkpointFormatVersion" -> format,
        "spark.sql.streaming.stateStore.rocksdb.changelogCheckpointing.enabled" -> changelog,
        "spark.sql.streaming.stateStore.minDeltasForSnapshot" -> "2"
      ) {
        val in = streams()
        inCheckpoint { checkpoint =>
          val runs = new Runs(spark.sql(sql), checkpoint)
          for (batch <- 0 until 4) {
            for (n <- three) in.add(n, batch % 2 -> s"$n$batch", 7 -> s"$n$batch")
            if (batch == 2) MirrorRegistry.clear()
            runs.restart()
            runs.settle()
            val rebuilt = runs.progress.map(_.customMetrics.get("mjoinRebuiltMirrors").longValue).sum
            assert((rebuilt > 0) == (batch == 2), s"batch $batch")
          }
          runs.stop()
          assert(runs.rows == in.asTables(stock(sql)))
        }
      }
    }

  test("rows lie in the state store in the order in which they came") {
    withConf("spark.sql.shuffle.partitions" -> "1") {
      val in = streams()
      inCheckpoint { checkpoint =>
        val numbered = (0 until 600).map(k => 1 -> f"$k%03d")
        in.add("a", numbered: _*)
        runOver(sql, checkpoint)
        val state = spark.read.format("statestore").option("stateVarName", "input0").load(checkpoint.toString)
        assert(state.select("value.v").as[String].collect().toSeq == numbered.map(_._2))
      }
    }
  }

  test("Spark's sources read the state and its metadata") {
    val in = streams()
    inCheckpoint { checkpoint =>
      in.add("a", 1 -> "x", 2 -> "y")
      in.add("b", 1 -> "z")
      runOver(sql, checkpoint)
      def state(input: Int) = spark.read
        .format("statestore")
        .option("path", checkpoint.toString)
        .option("stateVarName", s"input$input")
        .load()
        .select("value.*")
      assert(rows(state(0)) == Seq("[1,x]", "[2,y]"))
      assert(rows(state(1)) == Seq("[1,z]"))
      assert(rows(state(2)).isEmpty)
      val metadata = spark.read.format("state-metadata").load(checkpoint.toString)
      assert(metadata.count() == 1)
      assert(metadata.select(col("operatorProperties")).as[String].head().contains("mjoin"))
    }
  }

  test("the operator cannot be switched on or off, nor its key changed, under a checkpoint") {
    val off = sql.replace("/*+ MJOIN */", "")
    for ((first, second, words) <- Seq((sql, off, Seq("MJoin")), (off, sql, Seq("MJoin")))) {
      val in = streams()
      inCheckpoint { checkpoint =>
        for (n <- three) in.add(n, 1 -> n)
        runOver(first, checkpoint)
        for (n <- three) in.add(n, 2 -> n)
        val said = failure(runOver(second, checkpoint))
        words.foreach(w => assert(said.contains(w), said))
        // Nothing has been spoilt.
        assert(runOver(first, checkpoint).rows == Seq("[2,a,b,c]"))
      }
    }
  }

  test("a checkpoint that cannot be read is not one without MJoins") {
    val in = streams()
    val plain = sql.replace("/*+ MJOIN */", "")
    inCheckpoint { checkpoint =>
      def unreadable(why: String): Unit = for (query <- Seq(sql, plain)) {
        val said = failure(runOver(query, checkpoint))
        for (words <- Seq("STREAMON_CHECKPOINT_UNREADABLE", checkpoint.toString, why))
          assert(said.contains(words), said)
      }
      in.add("a", 1 -> "x")
      runOver(sql, checkpoint)
      in.add("b", 1 -> "y")
      withConf("spark.sql.streaming.checkpointFileManagerClass" -> classOf[LostFiles].getName) {
        unreadable(LostFiles.why)
      }
      val metadata = checkpoint.resolve("state/0/_metadata/v2/0")
      val whole = Files.readAllBytes(metadata)
      Files.writeString(metadata, "v2\n{}")
      unreadable("No usable value")
      Files.write(metadata, whole)
      in.add("c", 1 -> "z")
      assert(runOver(sql, checkpoint).rows == Seq("[1,x,y,z]"))
    }
    // Without a state there is nothing to read.
    inCheckpoint { checkpoint =>
      for (k <- 1 to 2) {
        in.add("a", k -> "x")
        assert(runOver("SELECT k FROM a WHERE k > 0", checkpoint).rows == Seq(s"[$k]"))
      }
    }
  }

  test("another key, another set of inputs, and a column of another type, under a checkpoint") {
    for (
      (other, error) <- Seq(
        "SELECT /*+ MJOIN */ a.k, a.v, b.v, c.v FROM a JOIN b ON a.v = b.v JOIN c ON a.v = c.v" ->
          "STREAMON_CHECKPOINT_OTHER_JOIN",
        "SELECT /*+ MJOIN */ a.k, a.v, b.v FROM a JOIN b ON a.k = b.k" -> "sources",
        sql.replace("FROM a", "FROM (SELECT k, length(v) v FROM a) a") -> "SCHEMA"
      )
    ) {
      val in = streams()
      inCheckpoint { checkpoint =>
        for (n <- three) in.add(n, 1 -> n)
        runOver(sql, checkpoint)
        for (n <- three) in.add(n, 2 -> n)
        val said = failure(runOver(other, checkpoint))
        assert(said.contains(error), said)
        assert(runOver(sql, checkpoint).rows == Seq("[2,a,b,c]"))
      }
    }
  }

  test("another join of as many inputs, under a checkpoint that has been deleted") {
    def joins(on: String) = s"SELECT /*+ MJOIN */ a.k, a.v, b.v, c.v FROM a JOIN b ON a.k = b.k JOIN c ON $on"
    for (Seq(first, second) <- Seq("b.v = c.v", "a.v = c.v", "b.k = c.k").combinations(2)) {
      val in = streams()
      inCheckpoint { checkpoint =>
        for (n <- three) in.add(n, 1 -> "x", 2 -> "y", 2 -> "x")
        runOver(joins(first), checkpoint)
        JavaUtils.deleteRecursively(checkpoint.toFile)
        assert(runOver(joins(second), checkpoint).rows == in.asTables(stock(joins(second))))
      }
    }
  }

  test("less memory from a start on: rows beyond it stay in the state store when they are read again") {
    val in = streams()
    withConf("spark.sql.shuffle.partitions" -> "1") {
      inCheckpoint { checkpoint =>
        val runs = new Runs(spark.sql(sql), checkpoint)
        def mirrors = runs.progress.map(_.customMetrics.get("mjoinMirrorBytes").longValue)
        runs.start()
        for (n <- three) in.add(n, (1 to 5000).map(_ -> n): _*)
        runs.settle()
        val before = mirrors.max
        for (memory <- Seq("100k", "512m")) withConf("spark.streamon.executor.memory" -> memory) {
          MirrorRegistry.clear()
          runs.restart()
          in.add("a", 17 -> memory, 4999 -> memory)
          runs.settle()
          assert(mirrors.max <= (100 << 10) && mirrors.max < before / 10, "and stay there")
        }
        runs.stop()
        assert(runs.rows == in.asTables(stock(sql)) && runs.rows.size == 5004)
      }
    }
  }

  test("another stream that is explained in foreachBatch is not held to the checkpoint of the query") {
    val in = streams()
    val other = spark.table("a").join(spark.table("b"), "k")
    inCheckpoint { checkpoint =>
      withConf(rocksdb) {
        var said = Vector.empty[String]
        val explain: (DataFrame, Long) => Unit = (batch, _) => {
          batch.collect()
          said ++= whyNot(other).map(_.refusal.code)
        }
        val query = spark
          .sql(sql)
          .writeStream
          .option("checkpointLocation", checkpoint.toString)
          .foreachBatch(explain)
          .start()
        try
          for (batch <- 1 to 2) {
            for (n <- three) in.add(n, batch -> n)
            query.processAllAvailable()
          }
        finally query.stop()
        assert(said.size >= 2 && said.forall(_ == "NO_MJOIN_HINT"))
      }
    }
  }

  test("another number of shuffle partitions: the one in the checkpoint stands, as in Spark") {
    val in = streams()
    inCheckpoint { checkpoint =>
      for (n <- three) in.add(n, (1 to 20).map(_ -> n): _*)
      runOver(sql, checkpoint)
      for (n <- three) in.add(n, (1 to 20).map(_ -> n.toUpperCase): _*)
      withConf("spark.sql.shuffle.partitions" -> "5") {
        assert(runOver(sql, checkpoint).rows.size == 20 * 8 - 20)
      }
    }
  }
}

/** A file system that has lost the metadata of operators. */
final class LostFiles(path: Path, conf: Configuration)
    extends FileContextBasedCheckpointFileManager(path, conf) {
  override def open(path: Path): FSDataInputStream =
    if (path.toString.contains("/_metadata/")) throw new IOException(LostFiles.why) else super.open(path)
}

object LostFiles {
  val why = "The blocks are gone."
}
