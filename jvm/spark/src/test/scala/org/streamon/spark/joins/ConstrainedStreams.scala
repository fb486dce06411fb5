package org.streamon.spark.joins

import org.apache.spark.sql.streaming.StateOperatorProgress
import org.apache.spark.sql.streamon.BetweenBatches
import org.streamon.spark.SparkSuite

/** A row that has a number, and refers to another. */
final case class Link(id: Long, to: Long, v: Int)

/** Three streams of links, and what MJoins with constraints tell of them. */
trait ConstrainedStreams extends StreamingJoins { self: SparkSuite =>
  private lazy val session = spark
  import session.implicits._

  protected val onePartition = "spark.sql.shuffle.partitions" -> "1"

  protected def mode(name: String, window: Int = 20, retention: String = "0") = Seq(
    onePartition,
    "spark.streamon.join.constraints" -> name,
    "spark.streamon.join.constraints.window" -> window.toString,
    "spark.streamon.join.constraints.retention" -> retention
  )

  protected def streams = new Streams[Link](session, Seq("a", "b", "c"))((_, raw) => raw)

  /** One micro-batch. */
  protected def bring(runs: Runs)(rows: => Unit): Unit = {
    BetweenBatches(runs.query)(rows)
    runs.settle()
  }

  protected def last(runs: Runs): StateOperatorProgress = runs.progress.last

  protected def now(runs: Runs, metric: String): Long = last(runs).customMetrics.get(metric).longValue

  protected val onOneKey =
    "SELECT /*+ MJOIN, UNIQUE(a, id), UNIQUE(b, id), UNIQUE(c, id) */ a.v av, b.v bv, c.v cv " +
      "FROM a JOIN b ON a.id = b.id JOIN c ON b.id = c.id"

  /** Packets that each stream sees once; one in five of those of `a` goes on, in the next micro-batch. */
  protected def packets(in: Streams[Link], batch: Int): Unit = {
    val own = (batch * 50L until batch * 50L + 50).map(id => Link(id * 7919 % 100003, 0, batch))
    in.add("a", own: _*)
    if (batch > 0) {
      val on = (batch * 50L - 50 until batch * 50L by 5).map(id => Link(id * 7919 % 100003, 0, batch))
      in.add("b", on: _*)
      in.add("c", on.map(_.copy(v = -batch)): _*)
    }
  }
}
