package org.streamon.spark.joins

import java.util.concurrent.atomic.AtomicLong

import scala.util.Random

import org.apache.spark.sql.execution.streaming.runtime.StreamingQueryWrapper
import org.apache.spark.sql.streaming.StreamingQueryException
import org.streamon.core.constraints.MonitorSettings
import org.streamon.spark.SparkSuite
import org.streamon.spark.errors.HintError
import org.streamon.core.constraints.ConstraintMonitors
import org.streamon.spark.execution.joins.MirrorRegistry
import org.scalatest.funsuite.AnyFunSuite

/** A row of R, S or T: R has a, T has b, S has both. */
final case class CachedRow(a: Int, b: Int, v: Int)

class CachingSuite extends AnyFunSuite with SparkSuite with StreamingJoins {
  private lazy val session = spark
  import session.implicits._

  private val conf = "spark.streamon.join.caching"

  private val rst =
    "SELECT /*+ MJOIN(r, s, t) */ r.v rv, s.v sv, t.v tv FROM r JOIN s ON r.a = s.a JOIN t ON s.b = t.b"

  private def rows(count: Int, values: Int)(seed: Int): Seq[CachedRow] = {
    val random = new Random(seed)
    Seq.tabulate(count)(v => CachedRow(random.nextInt(values), random.nextInt(values), v))
  }

  /** Runs R-S-T over some micro-batches, compares with Spark's batch join, and gives what was counted. */
  private def run(sql: String, batches: Int, count: Int, values: Int, confs: (String, String)*)(
      between: (Int, Runs) => Unit
  ): Map[String, Long] = {
    val partitions = "spark.sql.shuffle.partitions" -> "2"
    withConf((partitions +: confs): _*) {
      val in = new Streams[CachedRow](session, Seq("r", "s", "t"))((_, raw) => raw)
      running(spark.sql(sql)) { runs =>
        for (batch <- 0 until batches) {
          for ((name, k) <- Seq("r", "s", "t").zipWithIndex)
            in.add(name, rows(count, values)(3 * batch + k): _*)
          runs.settle()
          between(batch, runs)
        }
        assert(runs.operators.size == 1)
        assert(runs.rows == in.asTables(stock(sql)) && runs.rows.nonEmpty)
        val names = Seq("Hits", "Misses", "Entries", "Bytes").map("mjoinCache" + _)
        names.map(n => n -> runs.progress.map(_.customMetrics.get(n).longValue).sum).toMap
      }
    }
  }

  test("a forced cache is hit, kept from micro-batch to micro-batch, and counted") {
    val found = run(rst, 4, 60, 8, s"$conf.forced" -> "0+1,1+2", conf -> "global") { (_, _) => () }
    assert(found("mjoinCacheHits") > 100, found)
    assert(found("mjoinCacheHits") > found("mjoinCacheMisses"))
    assert(found("mjoinCacheEntries") > 0 && found("mjoinCacheBytes") > 0)
  }

  test("a user's function between two inputs is in what is cached: it is evaluated once for a pair") {
    import CachingSuite.evaluated
    spark.udf.register("counted", (x: Int, y: Int) => { evaluated.incrementAndGet(); (x + y) % 3 > 0 })
    val sql = rst.replace("ON r.a = s.a", "ON r.a = s.a AND counted(r.v, s.v)")
    def evaluations(mode: String) = {
      evaluated.set(0)
      run(sql, 3, 60, 6, s"$conf.forced" -> "0+1", conf -> mode) { (_, _) => () }
      evaluated.get
    }
    val (without, cached) = (evaluations("off"), evaluations("prefix"))
    assert(cached * 3 < without, s"$cached, $without without")
  }

  test("a row from a cache that constraints call dead is counted, in observe") {
    // One of the keys that are watched there.
    val key =
      Iterator.from(1).find(k => MonitorSettings.sampled(k.toLong, ConstraintMonitors.ObservedShare)).get
    val sql = rst.replace("(r, s, t)", "(r, s, t), UNIQUE(r, a), UNIQUE(t, b)")
    withConf("spark.sql.shuffle.partitions" -> "1", s"$conf.forced" -> "0+1", conf -> "prefix") {
      val in = new Streams[CachedRow](session, Seq("r", "s", "t"))((_, raw) => raw)
      running(spark.sql(sql)) { runs =>
        for (name <- Seq("r", "s", "t")) in.add(name, CachedRow(key, key, 0))
        runs.settle()
        in.add("t", CachedRow(0, key, 1))
        runs.settle()
        assert(runs.rows == in.asTables(stock(sql)))
        val counted = runs.progress.last.customMetrics
        assert(counted.get("mjoinCacheHits") == 1 && counted.get("mjoinViolations") == 1, counted)
      }
    }
  }

  test("caches that are lost with their mirrors, or in a restart, do no harm") {
    val found = run(rst, 5, 40, 6, s"$conf.forced" -> "0+1,1+2", conf -> "global") { (batch, runs) =>
      if (batch == 1) MirrorRegistry.clear()
      if (batch == 3) runs.restart()
    }
    assert(found("mjoinCacheHits") > 0)
  }

  test("caches come into use by themselves where they pay, and are told of") {
    // Many rows of S for a key, of which few meet an R: what T's rows look for again and again is costly.
    val sql =
      "SELECT /*+ MJOIN(r, s, t, 'caching=prefix', 'caching.interval=1000', 'caching.window=5') */ r.v rv, s.v sv, t.v tv " +
        "FROM r JOIN s ON r.a = s.a AND sha2(concat(r.v, 'x', s.v), 256) < '02' JOIN t ON s.b = t.b"
    withConf("spark.sql.shuffle.partitions" -> "1") {
      val in = new Streams[CachedRow](session, Seq("r", "s", "t"))((_, raw) => raw)
      running(spark.sql(sql)) { runs =>
        val random = new Random(7)
        in.add("r", Seq.tabulate(40)(v => CachedRow(random.nextInt(4), 0, v)): _*)
        in.add("s", Seq.tabulate(200)(v => CachedRow(random.nextInt(4), random.nextInt(5), v)): _*)
        runs.settle()
        for (batch <- 0 until 3) {
          in.add("t", Seq.tabulate(1500)(v => CachedRow(0, random.nextInt(5), 2000 * batch + v)): _*)
          runs.settle()
        }
        assert(runs.rows == in.asTables(stock(sql)))
        val hits = runs.progress.map(_.customMetrics.get("mjoinCacheHits").longValue).sum
        assert(hits > 1000, s"$hits hits")
        val id = runs.query.id.toString
        val caches = spark.sql(s"SELECT * FROM streamon_caches() WHERE query = '$id'").collect()
        assert(caches.map(_.getAs[String]("cache")).toSeq == Seq("{1,0} in the pipeline of input 2"))
        assert(caches.head.getAs[Long]("hits") == hits && caches.head.getAs[Double]("benefit_nanos") > 0)
        val decisions = spark.sql(
          s"SELECT new_order FROM streamon_decisions() WHERE query = '$id' AND algorithm = 'a-caching prefix'"
        )
        assert(
          decisions.collect().map(_.getSeq[String](0)).toSeq.contains(Seq("{1,0} in the pipeline of input 2"))
        )
      }
    }
  }

  test("a condition that has changed over a restart is not answered from what was kept under the old one") {
    val forced = Seq(conf -> "prefix", s"$conf.forced" -> "0+1", "spark.sql.shuffle.partitions" -> "1")
    withConf(forced: _*) {
      var sql = s"$rst AND r.v < s.v"
      val in = new Streams[CachedRow](session, Seq("r", "s", "t"))((_, raw) => raw)
      running(spark.sql(sql)) { runs =>
        for ((name, k) <- Seq("r", "s", "t").zipWithIndex) in.add(name, rows(40, 4)(k): _*)
        runs.settle()
        sql = sql.replace("<", ">")
        runs.restart()
        in.add("t", rows(40, 4)(9).map(row => row.copy(v = row.v + 1000)): _*)
        runs.settle()
        def late(rows: Seq[String]) = rows.filter(_.stripSuffix("]").split(',').last.toInt >= 1000)
        assert(late(runs.rows) == late(in.asTables(stock(sql))) && late(runs.rows).nonEmpty)
      }
    }
  }

  test("rows that leave before any of their stream has come in a micro-batch are minded") {
    val sql = "SELECT /*+ MJOIN(r, s, t), STREAM_WINDOW(r, 'ROWS 2') */ r.v rv, s.v sv, t.v tv " +
      "FROM r JOIN s ON r.a = s.a JOIN t ON s.b = t.b"
    val confs = Seq(
      conf -> "global",
      s"$conf.forced" -> "1+2",
      // The row of S and T is kept for R only where the pipeline of S begins with R.
      "spark.streamon.join.forcedOrder" -> "0,1,2",
      "spark.sql.shuffle.partitions" -> "1"
    )
    withConf(confs: _*) {
      val in = new Streams[CachedRow](session, Seq("r", "s", "t"))((_, raw) =>
        raw.selectExpr("*", "timestamp_seconds(v) ts").withWatermark("ts", "0 seconds")
      )
      running(spark.sql(sql)) { runs =>
        def push(time: Int): Unit =
          for (name <- Seq("r", "s", "t")) in.add(name, CachedRow(-time, -time, time))
        in.add("s", CachedRow(1, 1, 1))
        in.add("t", CachedRow(0, 1, 2))
        in.add("r", CachedRow(1, 0, 3))
        push(10)
        runs.settle()
        in.add("r", CachedRow(2, 0, 11), CachedRow(1, 0, 13))
        in.add("s", CachedRow(1, 1, 12))
        push(20)
        runs.settle()
        assert(runs.rows == Seq("[10,10,10]", "[13,1,2]", "[13,12,2]", "[20,20,20]", "[3,1,2]"))
        assert(runs.operators.head.simpleString(1000).contains("caching global"))
      }
    }
  }

  private def plan(sql: String) = {
    val in = new Streams[CachedRow](session, Seq("r", "s", "t"))((_, raw) => raw)
    running(spark.sql(sql)) { runs =>
      in.add("r", rows(3, 2)(1): _*)
      runs.settle()
      runs.query.asInstanceOf[StreamingQueryWrapper].streamingQuery.lastExecution.executedPlan.toString
    }
  }

  test("EXPLAIN says which caches there may be: none on one key, unless conditions cost something") {
    val prefix = rst.replace("(r, s, t)", "(r, s, t, 'caching=prefix')")
    assert(plan(rst).contains("caching off") && plan(prefix).contains("caching prefix"))
    assert(plan(rst.replace("(r, s, t)", "(r, s, t, 'caching=global')")).contains("caching global"))
    val oneKey = prefix.replace("s.b = t.b", "s.a = t.a")
    assert(plan(oneKey).contains("caching off"))
    assert(plan(prefix.replace("prefix'", "prefix', 'constraints=exact'")).contains("caching off"))
    assert(plan(s"$oneKey AND sha2(concat(s.v, t.v), 256) < '8'").contains("caching prefix"))
    spark.udf.register("near", (x: Int, y: Int) => math.abs(x - y) < 2)
    assert(plan(oneKey.replace("ON r.a = s.a", "ON r.a = s.a AND near(r.v, s.v)")).contains("caching prefix"))
    assert(plan(s"$oneKey AND near(s.v, t.v)").contains("caching off"), "of all three")
  }

  test("an invalid option is an error that names what is allowed") {
    val in = new Streams[CachedRow](session, Seq("r", "s", "t"))((_, raw) => raw)
    in.add("r", rows(3, 2)(1): _*)
    def hinted(option: String) =
      intercept[HintError](spark.sql(rst.replace("(r, s, t)", s"(r, s, t, '$option')"))).getMessage
    assert(hinted("caching=sometimes").contains("Allowed values: off, prefix, global."))
    assert(hinted("caching.interval=0").contains("Allowed values: 1 and above."))
    assert(hinted("caching.memory=1k").contains("Allowed options: algorithm, caching, caching.change"))
    assert(hinted("cashing=off").contains("Allowed options: algorithm, caching, caching.change"))
    val bad = intercept[IllegalArgumentException](spark.conf.set(s"$conf.memory", "0"))
    assert(bad.getMessage.contains("set spark.streamon.join.caching to off"))
    for (forced <- Seq("0+2", "0+1+2", "1+7", "1+1"))
      withConf(conf -> "prefix", s"$conf.forced" -> forced, rocksdb) {
        val error = intercept[StreamingQueryException](running(spark.sql(rst))(_.settle()))
        assert(error.getMessage.contains("STREAMON_CACHE_NOT_JOINED"), error.getMessage)
        assert(error.getMessage.contains(s"names the inputs $forced of an MJoin of 3"))
      }
  }
}

object CachingSuite {
  private val evaluated = new AtomicLong
}
