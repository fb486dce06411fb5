package org.streamon.spark.routes

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.execution.FormattedMode
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.{Executions, SparkSuite}
import org.streamon.spark.errors.{HintError, RoutesError}
import org.streamon.spark.execution.StoredColumns

class RoutedFilterSuite extends AnyFunSuite with SparkSuite with ThreeKinds {
  private val off = "spark.streamon.learning.enabled" -> "false"

  private def meshed(query: String): String = s"select /*+ ${eager("query-mesh")} */ * $query"

  private def evaluationsPerRow(frame: DataFrame): Double = {
    val filter = theAdaptiveFilter(frame)
    filter.conjuncts.indices.map(q => filter.metrics(s"evaluations$q").value).sum.toDouble / kindsCount
  }

  private def routesOf(query: String): Seq[Row] =
    spark.sql(s"select * from streamon_routes('$query') order by route").collect().toSeq

  private def latest: String = Executions.latest(spark)

  /** Runs a query until there are so many routes: the search takes its time, beside the rows. */
  private def untilLearned(query: String, count: Int = 3): String = {
    val learned = Iterator.continually {
      spark.sql(query).collect()
      latest
    }
    learned.take(20).find(routesOf(_).size == count).getOrElse(fail(routesOf(latest).mkString("\n")))
  }

  for (
    codegen @ (key, value) <- Seq(
      "spark.sql.codegen.wholeStage" -> "true",
      "spark.sql.codegen.wholeStage" -> "false"
    )
  )
    test(s"rows of three kinds get three orders, and the rows are those of stock Spark; $key $value") {
      val query = s"from $kinds where $kindsWhere and id >= ${value.hashCode % 2}"
      withConf(codegen) {
        val expected = stock(s"select * $query")
        val first = untilLearned(meshed(query))
        val saved = routesOf(first)
        assert(saved.forall(_.getAs[Double]("modelled_saving") > 0.1), saved)

        // A later execution begins with what was learned, and says so.
        val again = spark.sql(meshed(query))
        val explained = explain(again)
        assert("Route of .*(number|kind)".r.findAllIn(explained).size == 3, explained)
        assert(explained.contains("Algorithm : query-mesh"))
        assert(rows(again) == expected)
        // One order for all takes 1.64 evaluations at best, and an order for each kind 1.2. A fifth is profiled, with 4.
        assert(evaluationsPerRow(again) < 2.0)
        val routes = routesOf(latest)
        assert(routes.size == 3 && routes.map(_.getSeq[String](5).head).distinct.size == 3)
        assert(routes.map(_.getAs[Long]("input_rows")).sum <= kindsCount)
        assert(routes.forall(r => math.abs(r.getAs[Double]("share") - 1.0 / 3) < 0.1), routes)
        assert(
          !explain(spark.sql(meshed(s"$query and s0 > 'a1'"))).contains("Route of")
        )
      }
    }

  test("a change of routes is a decision, with the tree in words and what it is to save") {
    val query = untilLearned(meshed(s"from $kinds where $kindsWhere and id >= 2"))
    val change = spark
      .sql(
        s"select old_order, old_routes, new_routes, single_nanos, new_nanos from streamon_decisions('$query') " +
          "where new_routes is not null order by time limit 1"
      )
      .head()
    assert(change.isNullAt(0))
    assert(change.getSeq[Row](1).map(_.getString(0)) == Seq("all rows"))
    val routes = change.getSeq[Row](2)
    assert(routes.size > 1 && math.abs(routes.map(_.getDouble(2)).sum - 1.0) < 1e-9)
    assert(routes.forall(_.getString(0).matches(".*(number|kind).*")), routes)
    assert(change.getDouble(4) < 0.9 * change.getDouble(3))
  }

  test("routes that are too many are not begun with, and other algorithms do not forget them") {
    val query = s"from $kinds where $kindsWhere and id >= 4"
    untilLearned(meshed(query))
    def begins(options: String) =
      "Route of".r.findAllIn(explain(spark.sql(s"select /*+ ADAPTIVE_FILTER($options) */ * $query"))).size
    for (most <- Seq(1, 2)) assert(begins(s"'query-mesh', 'routes=$most'") == 0)
    assert(begins("'query-mesh'") == 3)
    spark.sql(s"select /*+ ${eager("a-greedy")} */ * $query").collect()
    assert(begins("'query-mesh'") == 3)
  }

  test("a time zone does not matter for what is learned") {
    withConf("spark.sql.session.timeZone" -> "America/Los_Angeles") {
      spark
        .range(0, kindsCount, 1, 2)
        .selectExpr(
          "id",
          "concat('a', id) s0",
          "concat('b', id) s1",
          "timestamp_seconds(1700000000 + 86400 * (id % 2)) at"
        )
        .localCheckpoint()
        .createOrReplaceTempView("timed")
      val where =
        Seq(0, 1).map(k => s"sha2(s$k, 256) < if(unix_date(date(at)) % 2 = $k, '1a', 'e6')").mkString(" and ")
      val query = meshed(s"from timed where $where")
      untilLearned(query, count = 2)
      val begun = explain(spark.sql(query))
      assert("Route of .*at (>|<=) TIMESTAMP '2023-11-14 14:13:20'".r.findAllIn(begun).size == 2, begun)
    }
  }

  test("rows of one kind have one route and no tree") {
    val where = (0 until 3).map(k => s"sha2(s$k, 256) < '${Seq("33", "66", "99")(k)}'").mkString(" and ")
    for (_ <- 1 to 3) {
      spark.sql(meshed(s"from $kinds where $where")).collect()
      assert(routesOf(latest).map(_.getAs[String]("rows")) == Seq("all rows"))
    }
  }

  test("routes can be forced; a column that is not there, and other mistakes, are said") {
    def forced(text: String, more: String = "") = {
      val hint = s"ADAPTIVE_FILTER('algorithm=query-mesh'$more)"
      withConf(off, "spark.streamon.filter.routes.forced" -> text) {
        val frame = spark.sql(s"select /*+ $hint */ * from $kinds where $kindsWhere")
        frame.collect()
        evaluationsPerRow(frame)
      }
    }
    val best =
      "CASE WHEN kind = 'red' THEN '0,1,2' WHEN kind IN ('green', 'none') THEN '1,0,2' ELSE '2,0,1' END"
    val worst =
      "CASE WHEN kind = 'red' THEN '1,2,0' WHEN kind IN ('none','green') THEN '2,0,1' ELSE '0,1,2' END"
    assert(math.abs(forced(best) - 1.19) < 0.02 && math.abs(forced(worst) - 2.71) < 0.02)
    val unlearned = ", 'initialOrder=written', 'profilingProbability=0'"
    assert(forced("'0,1'", unlearned) == forced("'0,1,2'", unlearned), "not for as many conjuncts")
    val missing = intercept[RoutesError](forced("CASE WHEN color = 'red' THEN '0,1,2' ELSE '1,0,2' END"))
    assert(missing.getMessage.contains("Allowed: s0, s1, s2, number, id, kind, noise."))
  }

  test("bad options of a hint name the allowed values") {
    def problem(option: String) =
      intercept[HintError](
        spark.sql(s"select /*+ ADAPTIVE_FILTER('$option') */ * from $kinds where id > 5")
      ).getMessage
    assert(problem("routes=0").contains("Allowed values: 1 to 8."))
    assert(problem("routes.search=best").contains("Allowed values: opt-qm, ii-qm, sa-qm."))
    assert(problem("routes.start=here").contains("content-driven, route-driven, random-pick"))
    assert(problem("algorithm=query").contains("query-mesh"))
  }

  test("without a tree there is one order: with one route at most, and where no column tells kinds apart") {
    for (
      (option, columns) <- Seq("'routes=1'" -> "*", "'routes=8'" -> "s0, s1, s2");
      codegen <- Seq("true", "false")
    )
      withConf(off, "spark.sql.codegen.wholeStage" -> codegen) {
        val from = s"(select $columns from $kinds)"
        val where = "sha2(s0, 256) < '33' and sha2(s1, 256) < '44'"
        val hint = s"ADAPTIVE_FILTER('algorithm=query-mesh', $option)"
        assert(
          rows(spark.sql(s"select /*+ $hint */ s0 from $from where $where")) ==
            stock(s"select s0 from $from where $where")
        )
      }
  }

  test("in strict mode a condition that may raise keeps its place on every route") {
    withConf("spark.streamon.filter.errors" -> "strict") {
      val conditions = s"$kindsWhere and 100 / (id + 1) >= 0 and id >= 3"
      val query = untilLearned(meshed(s"from $kinds where $conditions"))
      for (route <- routesOf(query)) {
        val order = route.getSeq[String](5)
        assert(order.indexWhere(_.contains("100.0 /")) == 3 && order(4).contains(">= 3"), order)
      }
    }
  }

  test("a row loop with many columns to look at is not too long for the JIT compiler") {
    val columns = (0 until 60).map(i => s"if(id % 3 = 0, null, cast(id + $i as string)) c$i")
    spark.range(10).selectExpr(columns: _*).localCheckpoint().createOrReplaceTempView("wide")
    for ((n, width) <- Seq((2, 1), (10, 1), (12, 1), (12, 2), (20, 1), (22, 1), (24, 1), (64, 1), (12, 4))) {
      val where = (0 until n).map { i =>
        (0 until width).map(j => s"c${(i * width + j) % 60}").mkString("concat(", ", ", ")") + s" <> '$i'"
      }
      val query = s"from wide where ${where.mkString(" and ")}"
      val frame = spark.sql(s"select /*+ ADAPTIVE_FILTER('query-mesh') */ * $query")
      assert(rows(frame) == stock(s"select * $query"))
      val sizes = methodSizes(frame)
      info(s"$n conjuncts on $width columns each: ${sizes.mkString(", ")} bytes")
      assert(sizes.min > 0 && sizes.max <= 8000)
    }
  }

  test("a column that is computed is looked at where a condition reads it and it cannot raise") {
    val plan = spark.sql(s"select id, kind k, upper(kind) u, 100 / number d, rand() r from $kinds")
    val project = plan.queryExecution.sparkPlan
    assert(StoredColumns.of(project).map(_.name).toSet == Set("id", "k"))
    assert(StoredColumns.neverRaising(project).map(_.name).toSet == Set("id", "k", "u"))
    assert(!StoredColumns.in(project) && StoredColumns.in(project.children.head))
    assert(!StoredColumns.in(spark.table("kinds").groupBy("kind").count().queryExecution.sparkPlan))
  }

  private def explain(frame: DataFrame): String = frame.queryExecution.explainString(FormattedMode)
}
