package org.streamon.spark.joins

import java.util.concurrent.atomic.AtomicLong

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite
import org.streamon.spark.execution.joins.MirrorRegistry
import org.streamon.spark.execution.state.{ExecutorMemory, Mirror}

/** MJoins keep within the budget of their executor, while a micro-batch runs too. */
class ExecutorBudgetSuite extends AnyFunSuite with SparkSuite with KeyedStreams {
  private val sql =
    "SELECT /*+ MJOIN */ seen(a.k), a.v, b.v, c.v FROM a JOIN b ON a.k = b.k JOIN c ON a.k = c.k"
  private val budget = 300L << 10

  /** Runs a query under the budget; the most that was taken while it gave results. */
  private def most(sql: String, partitions: Int)(body: (Runs, Streams[(Int, String)]) => Unit): Long = {
    import ExecutorBudgetSuite.peak
    peak.set(0L)
    spark.udf.register("seen", (k: Int) => { peak.accumulateAndGet(ExecutorMemory.here.taken, _ max _); k })
    MirrorRegistry.clear()
    val in = streams(three: _*)
    withConf(
      "spark.streamon.executor.memory" -> s"$budget",
      "spark.sql.shuffle.partitions" -> s"$partitions"
    )(running(spark.sql(sql)) { runs =>
      body(runs, in)
      assert(runs.rows == in.asTables(stock(sql)))
    })
    peak.get
  }

  private def rebuilt(runs: Runs) =
    runs.progress.map(_.customMetrics.get("mjoinRebuiltMirrors").longValue)

  test("one large micro-batch: within the budget before it ends") {
    val peak = most(sql, partitions = 1) { (runs, in) =>
      for (n <- three) in.add(n, (1 to 6000).map(_ -> n): _*)
      runs.settle()
      assert(ExecutorMemory.here.taken < budget)
      assert(runs.rows.size == 6000)
    }
    // What may come between two looks is a part of the budget.
    assert(peak > budget / 2 && peak < budget * 11 / 10, "bytes")
  }

  test("more partitions than the budget has room for: none is read again and again") {
    val peak = most(sql, partitions = 8) { (runs, in) =>
      for (batch <- 0 until 6) {
        for (n <- three) in.add(n, (1 to 1500).map(k => (batch * 1500 + k) -> n): _*)
        runs.settle()
      }
      for (batch <- 0 until 4) {
        for (n <- three) in.add(n, batch -> "late")
        runs.settle()
      }
      assert(ExecutorMemory.here.taken <= budget)
      assert(rebuilt(runs).sum > 0L && rebuilt(runs).takeRight(3) == Seq(0L, 0L, 0L))
    }
    assert(peak > budget / 2 && peak < budget * 11 / 10, "bytes")
  }

  test("Spark is not asked for its stores under the lock of the mirrors") {
    MirrorRegistry.clear()
    val key = MirrorRegistry.Key("here", 0L, 0)
    val mirror = new Mirror(Array(false), Array(Array(0)), Array(null), Vector(None))
    var asked = 0
    def isWanted = {
      asked += 1
      assert(!Thread.holdsLock(MirrorRegistry))
      asked < 2
    }
    MirrorRegistry.put(key, mirror, ExecutorMemory.here.newShare(1L))(isWanted)
    MirrorRegistry.sweep()
    MirrorRegistry.sweep()
    assert(asked == 2)
    assert(MirrorRegistry.take(key, mirror.stamp, 1L)(_ => true)._2.isEmpty, "it was let go of")
  }
}

object ExecutorBudgetSuite {

  /** Tasks of this process get at it. */
  private val peak = new AtomicLong
}
