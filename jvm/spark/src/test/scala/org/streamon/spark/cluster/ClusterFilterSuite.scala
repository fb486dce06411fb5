package org.streamon.spark.cluster

import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.duration.DurationInt
import scala.concurrent.{Await, Future}

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.InFolder
import org.streamon.spark.Executions

/** Filters on a cluster whose executors are killed, decommissioned, held and made to fail while they filter.
  */
class ClusterFilterSuite extends AnyFunSuite with Disturbances with InFolder {
  private val all = 60000

  /** The last conjunct drops nearly all rows. */
  private val sql =
    s"""SELECT /*+ ADAPTIVE_FILTER('initialOrder=written', 'profilingBudget=1', 'profilingProbability=0.2') */
       |id, gate(CAST(id % 100 AS INT)) g FROM range(0, $all, 1, 6)
       |WHERE CAST(id AS STRING) LIKE '%' AND id % 7 >= 0 AND id % 1000 = 7""".stripMargin

  for (disturbance <- disturbances)
    test(s"a task of a filter is $disturbance") {
      val frame = spark.sql(sql)
      lazy val found = Future(rows(frame))
      disturb(disturbance, Gate.Row)(found: Unit)(Await.ready(found, 2.minutes): Unit)
      assert(Await.result(found, 2.minutes) == stock(sql))
      assert(theAdaptiveFilter(frame).conjuncts.size == 3)
    }

  test("executors that come begin with what those that went have learned") {
    withConf("spark.streamon.learning.enabled" -> "true") {
      def evaluated = {
        val frame = spark.sql(sql.replace("% 7 >=", "% 9 >="))
        rows(frame)
        val filter = theAdaptiveFilter(frame)
        (filter.metrics("reorders").value, filter.metrics("evaluations0").value)
      }
      val (reorders, _) = evaluated
      assert(reorders > 0)
      cluster.executors.foreach(executor => cluster.kill(executor.pid))
      cluster.awaitAll()
      val (again, first) = evaluated
      assert(again == 0 && first < all / 2, "they learned it themselves")
    }
  }

  test("routes that executors learn are those of later executions, and of other executors") {
    val where = (0 until 3)
      .map(k => s"sha2(concat(id, '$k'), 256) < if(kind = '$k', '1a', 'e6')")
      .mkString(" AND ")
    val hint = "ADAPTIVE_FILTER('query-mesh', 'profilingProbability=0.3', 'profilingBudget=1')"
    inFolder { folder =>
      // Files stay when executors go.
      val files = folder.resolve("kinds").toString
      spark.range(0, 200000, 1, 3).selectExpr("id", "CAST(id % 3 AS STRING) kind").write.parquet(files)
      spark.read.parquet(files).createOrReplaceTempView("kinds")
      val query = s"SELECT /*+ $hint */ * FROM kinds WHERE $where"
      val expected = stock(s"SELECT * FROM kinds WHERE $where")
      def routesOfExecutors = withConf("spark.streamon.learning.enabled" -> "true") {
        assert(rows(spark.sql(query)) == expected)
        spark
          .sql(s"SELECT executor, count(*) FROM streamon_routes('${Executions.latest(spark)}') GROUP BY 1")
          .collect()
      }
      val learned = Iterator.continually(routesOfExecutors).take(20)
      assert(learned.exists(_.forall(_.getLong(1) > 1)))
      cluster.executors.foreach(executor => cluster.kill(executor.pid))
      cluster.awaitAll()
      // Whoever came begins with it.
      assert(routesOfExecutors.forall(_.getLong(1) > 1))
    }
  }
}
