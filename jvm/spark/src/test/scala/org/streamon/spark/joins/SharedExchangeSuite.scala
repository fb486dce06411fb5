package org.streamon.spark.joins

import java.util.concurrent.ConcurrentLinkedQueue

import org.apache.spark.SparkEnv
import org.apache.spark.scheduler.{SparkListener, SparkListenerJobStart}
import org.apache.spark.sql.execution.exchange.{Exchange, ReusedExchangeExec}
import org.apache.spark.sql.execution.metric.SQLShuffleReadMetricsReporter.RECORDS_READ
import org.apache.spark.sql.execution.metric.SQLShuffleWriteMetricsReporter.SHUFFLE_RECORDS_WRITTEN
import org.apache.spark.sql.functions.{col, udf}
import org.apache.spark.sql.streamon.Events
import org.apache.spark.util.LongAccumulator
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite

/** The exchanges below an MJoin: one shuffle for all of them, and one stage. */
class SharedExchangeSuite extends AnyFunSuite with SparkSuite with KeyedStreams {
  private lazy val session = spark
  import session.implicits._

  private val four = Seq("a", "b", "c", "d")

  private val queries = Map(
    "one key" -> "SELECT /*+ MJOIN */ * FROM a JOIN b ON a.k = b.k JOIN c ON b.k = c.k JOIN d ON c.k = d.k",
    "keys between pairs" -> ("SELECT /*+ MJOIN */ * FROM a JOIN b ON a.k = b.k " +
      "JOIN c ON substr(b.v, 2) = substr(c.v, 2) JOIN d ON length(c.v) = length(d.v)")
  )

  for ((keys, sql) <- queries)
    test(s"$keys: a micro-batch has two stages, and each exchange counts the rows of its own input") {
      val in = streams(four: _*)
      for ((name, i) <- four.zipWithIndex) in.add(name, (0 to i).map(k => k % 2 -> s"$name$k"): _*)
      val stages = stagesOfJobs(running(spark.sql(sql)) { runs =>
        runs.settle()
        val exchanges = runs.operators.head.children.collect { case e: Exchange => e }
        assert(exchanges.size == 4)
        def counts(metric: String) = exchanges.map(_.metrics(metric).value)
        assert(counts(SHUFFLE_RECORDS_WRITTEN) == counts(RECORDS_READ))
        if (keys == "one key") assert(counts(RECORDS_READ) == Seq(1, 2, 3, 4))
        // Two integers of eight bytes each, nulls, and a text of up to eight.
        assert(exchanges.forall(e => e.metrics("dataSize").value == 32 * e.metrics(RECORDS_READ).value))
        assert(runs.rows == in.asTables(stock(sql)) && runs.rows.nonEmpty)
      })
      assert(stages.head == 2)
    }

  test("inputs that are hashed on the key already have no exchange, beside others that share one") {
    val in = streams(three: _*)
    for (name <- three) in.add(name, 1 -> s"${name}1", 2 -> s"${name}2", 1 -> s"${name}1")
    val stages = stagesOfJobs(running {
      spark.table("a").dropDuplicates("k").createOrReplaceTempView("distinct_a")
      spark.sql("SELECT /*+ MJOIN */ * FROM distinct_a x JOIN b ON x.k = b.k JOIN c ON b.k = c.k")
    } { runs =>
      runs.settle()
      assert(runs.operators.head.children.count(_.isInstanceOf[Exchange]) == 2)
      assert(runs.rows.size == 5)
    })
    assert(stages.head == 3)
  }

  test("rows of an exchange that is used again are computed once") {
    val self = "SELECT /*+ MJOIN */ x.v xv, y.v yv, b.v bv FROM a x JOIN a y ON x.k = y.k JOIN b ON y.k = b.k"
    val twice = s"$self UNION ALL $self"
    for (sql <- Seq(self, twice)) {
      val (in, seen) = counted("a", "b")
      for (name <- Seq("a", "b")) in.add(name, 1 -> s"${name}1", 2 -> s"${name}2", 1 -> s"${name}1'")
      running(spark.sql(sql)) { runs =>
        runs.settle()
        assert(runs.operators.flatMap(_.children).exists(_.isInstanceOf[ReusedExchangeExec]))
        assert(seen.value == 3)
        assert(runs.rows.size == 9 * runs.operators.size)
      }
    }
  }

  test("an exchange that another operator uses as well is computed once") {
    val (in, seen) = counted(three: _*)
    for (name <- three) in.add(name, 1 -> s"${name}1", 2 -> s"${name}2", 1 -> s"${name}1'")
    val stockJoin = "SELECT a.v, b.v, '' FROM a JOIN b ON a.k = b.k"
    running(
      spark.sql(
        s"SELECT /*+ MJOIN */ a.v av, b.v bv, c.v cv FROM a JOIN b ON a.k = b.k JOIN c ON b.k = c.k UNION ALL $stockJoin"
      )
    ) { runs =>
      runs.settle()
      assert(runs.operators.size == 1)
      assert(seen.value == 3)
      assert(runs.rows.size == 9 + 5)
    }
  }

  test("nothing is shared where there are many partitions, or where Spark removes the files of shuffles") {
    val many = "spark.sql.shuffle.partitions" -> "67"
    val cleanup = "spark.sql.classic.shuffleDependency.fileCleanup.enabled" -> "true"
    for (conf <- Seq(many, cleanup)) withConf(conf) {
      val in = streams(three: _*)
      for (name <- three) in.add(name, 1 -> s"${name}1")
      val sql = "SELECT /*+ MJOIN */ a.v, b.v, c.v FROM a JOIN b ON a.k = b.k JOIN c ON b.k = c.k"
      val stages = stagesOfJobs(running(spark.sql(sql)) { runs =>
        runs.settle()
        assert(runs.rows == Seq("[a1,b1,c1]"))
      })
      assert(stages.head == 4, conf)
    }
  }

  test("tasks are not sent the plans of the inputs") {
    def bytes(sql: String): Int = {
      val in = streams(three: _*)
      running(spark.sql(sql)) { runs =>
        in.add("a", 1 -> "a1")
        runs.settle()
        SparkEnv.get.closureSerializer.newInstance().serialize(runs.operators.head).limit()
      }
    }
    val many = (1 to 200).map(i => s"v <> '$i'").mkString(" AND ")
    val plain = bytes("SELECT /*+ MJOIN */ * FROM a JOIN b USING (k) JOIN c USING (k)")
    val filtered =
      bytes(s"SELECT /*+ MJOIN */ * FROM (SELECT * FROM a WHERE $many) a JOIN b USING (k) JOIN c USING (k)")
    assert(math.abs(plain - filtered) < 1000, s"$plain and $filtered bytes")
    assert(plain < 50000)
  }

  /** Streams, and how many rows of the first have been read. */
  private def counted(names: String*): (Streams[(Int, String)], LongAccumulator) = {
    val seen = spark.sparkContext.longAccumulator("seen")
    val count = udf { k: Int => seen.add(1); k }.asNondeterministic()
    val in = new Streams[(Int, String)](session, names)((name, raw) => {
      val rows = raw.toDF("k", "v")
      if (name == names.head) rows.withColumn("k", count(col("k"))) else rows
    })
    (in, seen)
  }

  /** How many stages each job has that runs meanwhile. */
  private def stagesOfJobs(body: => Unit): Seq[Int] = {
    val stages = new ConcurrentLinkedQueue[Int]
    val listener = new SparkListener {
      override def onJobStart(job: SparkListenerJobStart): Unit = stages.add(job.stageIds.size)
    }
    spark.sparkContext.addSparkListener(listener)
    try {
      body
      Events.heard(spark.sparkContext)
    } finally spark.sparkContext.removeSparkListener(listener)
    stages.toArray(Array.empty[Integer]).map(_.intValue).toSeq
  }
}
