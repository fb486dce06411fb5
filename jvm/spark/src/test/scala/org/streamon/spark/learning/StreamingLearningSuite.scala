package org.streamon.spark.learning

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite
import org.streamon.spark.joins.KeyedStreams

/** What streaming queries learn, the next query of the session begins with. Counts say so. */
class StreamingLearningSuite extends AnyFunSuite with SparkSuite with KeyedStreams {
  private val names = Seq("a", "b", "c")
  private val sampled = "profilingProbability=0.2"

  /** What a query makes of rows of `a` that come when there are those of `b` and `c`. */
  private def ran(sql: String, b: Seq[Int], c: Seq[Int])(
      metrics: Runs => Map[String, Long]
  ): Map[String, Long] = {
    val in = streams(names: _*)
    running(spark.sql(sql)) { runs =>
      in.add("b", b.map(_ -> "b"): _*)
      in.add("c", c.map(_ -> "c"): _*)
      in.add("a", 0 -> "first")
      runs.settle()
      in.add("a", (1 to 2000).map(_ % 10 -> "a"): _*)
      runs.settle()
      assert(runs.rows == in.asTables(stock(sql)))
      metrics(runs)
    }
  }

  private def ofJoin(runs: Runs): Map[String, Long] =
    runs.progress.last.customMetrics.asScala.map { case (name, value) => name -> value.longValue }.toMap

  private def join(option: String = "algorithm=a-greedy") =
    s"SELECT /*+ MJOIN('$sampled', '$option') */ a.k, a.v, b.v, c.v FROM a JOIN b ON a.k = b.k JOIN c ON a.k = c.k"

  test("the pipelines of an MJoin") {
    // Rows of `a` find a match in `b` always, and in `c` never: it is best probed first.
    def metrics(sql: String) = ran(sql, b = 0 to 9, c = Seq(77))(ofJoin)
    val (first, second) = (metrics(join()), metrics(join()))
    assert(first("mjoinReorders") > 0 && first("mjoinProbes1") > 0, first)
    assert(second("mjoinReorders") == 0 && second("mjoinProbes1") == 0, second)
    for (option <- Seq("algorithm=static", "profilingProbability=0")) {
      val sql = join().replace(s"'$sampled', 'algorithm=a-greedy'", s"'$option'")
      assert(metrics(sql)("mjoinProbes1") == 2000, option)
    }
    withConf("spark.streamon.join.forcedOrder" -> "0,1,2")(assert(metrics(join())("mjoinProbes1") == 2000))
    withConf("spark.streamon.learning.enabled" -> "false")(assert(metrics(join())("mjoinReorders") > 0))
    val conditions = Seq(90, 91).map(n => s"${join()} AND length(concat(a.v, b.v)) < $n")
    for (sql <- conditions) assert(metrics(sql)("mjoinReorders") > 0, "another condition, another literal")
  }

  test("pipelines that are no longer best give the same rows, and are corrected") {
    val sql = s"SELECT /*+ MJOIN('$sampled') */ a.v, b.v, c.v FROM a JOIN b ON a.k = b.k JOIN c ON a.k = c.k"
    ran(sql, b = 0 to 9, c = Seq(77))(ofJoin)
    val other = ran(sql, b = Seq(77), c = 0 to 9)(ofJoin)
    assert(other("mjoinReorders") > 0, other)
  }

  test("the order of a filter") {
    val hint = s"ADAPTIVE_FILTER('initialOrder=written', 'profilingBudget=1', '$sampled')"
    val sql = s"SELECT /*+ $hint */ * FROM a WHERE v LIKE '%' AND k >= 0 AND k % 1000 = 7"

    /** A machine that stands still while a row is sampled spends the budget of many, so there may be several
      * micro-batches.
      */
    def reorders(most: Int): Long = {
      val in = streams("a")
      running(spark.sql(sql)) { runs =>
        val found = Iterator.continually {
          in.add("a", (1 to 4000).map(_ -> "a"): _*)
          runs.settle()
          val id = runs.query.id
          spark.sql(s"SELECT max(reorders) FROM streamon_stats() WHERE query = '$id'").head().getLong(0)
        }
        val last = found.take(most).dropWhile(_ == 0).nextOption()
        assert(runs.rows == in.asTables(stock(sql)))
        last.getOrElse(0L)
      }
    }
    assert(reorders(most = 30) > 0)
    assert(reorders(most = 1) == 0)
  }
}
