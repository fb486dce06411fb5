package org.streamon.spark

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.joins.HintErrors

class AdaptiveFilterSuite extends AnyFunSuite with SparkSuite with HintErrors {

  private lazy val numbers = {
    spark
      .range(0, 200000)
      .selectExpr("id", "cast(id as string) s", "id % 7 b")
      .createOrReplaceTempView("numbers")
    "numbers"
  }
  private val conditions = "sha2(s, 256) < '8' and s like '%1%2%3%' and id % 2 = 0 and id > 5"

  for (
    codegen @ (key, value) <- Seq(
      "spark.sql.codegen.wholeStage" -> "true",
      "spark.sql.codegen.wholeStage" -> "false",
      "spark.sql.codegen.factoryMode" -> "NO_CODEGEN",
      "spark.sql.codegen.maxFields" -> "1"
    )
  )
    test(s"a hinted filter is adaptive, reorders and keeps the rows; $key $value") {
      withConf(codegen, "spark.streamon.learning.enabled" -> "false") {
        val hint = "ADAPTIVE_FILTER('initialOrder=written', 'profilingBudget=1')"
        val frame = spark.sql(s"select /*+ $hint */ * from $numbers where $conditions")
        assert(rows(frame) == stock(s"select * from $numbers where $conditions"))
        val filter = theAdaptiveFilter(frame)
        assert(filter.metrics("profiledRows").value > 50 && filter.metrics("reorders").value > 0)
        val evaluations = filter.conjuncts.indices.map(q => filter.metrics(s"evaluations$q").value)
        assert(evaluations.sum > 199000 && evaluations.sum < 600000)
        val drops = filter.conjuncts.indices.map(q => filter.metrics(s"drops$q").value)
        assert(200000 - drops.sum == filter.metrics("numOutputRows").value)
      }
    }

  test("a guarded conjunct may go ahead of its guard without an error, and learns to stay behind it") {
    for (codegen <- Seq("true", "false"))
      withConf("spark.sql.codegen.wholeStage" -> codegen) {
        val where = "sha2(s, 256) < '4' and b <> 0 and 100 / b > 20"
        val query = s"select /*+ ADAPTIVE_FILTER('initialOrder=cheapest') */ id from $numbers where $where"
        val frame = spark.sql(query)
        assert(rows(frame) == stock(s"select id from $numbers where $where"))
        val filter = theAdaptiveFilter(frame)
        info(s"re-evaluated: ${filter.metrics("reevaluatedRows").value}")
        assert(filter.metrics("reevaluatedRows").value < 50)
      }
  }

  test("an error of the written order is raised") {
    val where = "sha2(s, 256) < '4' and 100 / b > 20"
    val error = intercept[Exception](
      spark.sql(s"select /*+ ADAPTIVE_FILTER */ id from $numbers where $where").collect()
    )
    assert(error.toString.contains("DIVIDE_BY_ZERO"))
  }

  test("the decisions and the counts can be read as tables") {
    val latest = "query = (select max_by(query, time) from streamon_decisions())"
    val dear = "sha2(s, 256) < 'f' and id >= 0 and s like '%1%2%3%'"
    val frame = spark.sql(
      s"select /*+ ADAPTIVE_FILTER('initialOrder=written', 'profilingBudget=1') */ * from $numbers where $dear"
    )
    val count = frame.collect().length
    val decision = spark.sql(s"select * from streamon_decisions() where $latest").head()
    assert(decision.getAs[Seq[String]]("new_order").head.contains("LIKE"))
    assert(decision.getAs[Double]("learned_nanos") < decision.getAs[Double]("straight_nanos"))
    val counts = spark.sql(s"select * from streamon_stats() where $latest order by written").collect()
    assert(counts.map(_.getAs[Long]("output_rows")).distinct.toSeq == Seq(count))
    assert(counts.map(_.getAs[Long]("drops")).sum == 200000 - count)
    assert(counts.map(_.getAs[Long]("evaluations")).sum < 300000)
  }

  test("conjuncts of a few nanoseconds keep their first order, which runs straight; their counts are true") {
    // The last of them drops most, yet to reach it first through the order array would cost more.
    val cheap = "id >= 0 and b >= 0 and id < 100000"
    val hint = "ADAPTIVE_FILTER('initialOrder=written', 'thrashAvoidance=1')"
    spark.range(0, 3000000, 1, 2).selectExpr("id % 200000 id", "id % 7 b").createOrReplaceTempView("many")
    for (_ <- 1 to 3) { // until the code that is timed has been compiled
      val frame = spark.sql(s"select /*+ $hint */ count(id) from many where $cheap")
      assert(frame.collect().head.getLong(0) == 1500000)
      val filter = theAdaptiveFilter(frame)
      val drops = filter.conjuncts.indices.map(q => filter.metrics(s"drops$q").value)
      assert(drops == Seq(0, 0, 1500000))
    }
  }

  test("a wide filter's row loop is not too long for the JIT compiler") {
    val columns = (0 until 40).map(i => s"cast(id + $i as string) c$i")
    spark.range(10).selectExpr(columns: _*).localCheckpoint().createOrReplaceTempView("wide")
    for (n <- Seq(12, 24, 40)) {
      val where = (0 until n).map(i => s"c$i <> c${(i + 1) % n}").mkString(" and ")
      for (algorithm <- Seq("a-greedy", "query-mesh")) {
        val frame = spark.sql(s"select /*+ ADAPTIVE_FILTER('$algorithm') */ count(*) from wide where $where")
        frame.collect()
        theAdaptiveFilter(frame)
        val sizes = methodSizes(frame)
        info(s"$n conjuncts, $algorithm: $sizes bytes")
        assert(sizes.min > 0 && sizes.max <= 8000, s"$n conjuncts, $algorithm")
      }
    }
  }

  test("nor is that of few conjuncts that read many columns each") {
    val columns = (0 until 20).map(i => s"if(id % 3 = 0, null, id + $i) c$i")
    spark.range(10).selectExpr(columns: _*).localCheckpoint().createOrReplaceTempView("wide")
    val where = (0 until 12).map { i =>
      val own = (0 until 20).map(j => s"c${(i + j) % 20}").mkString(", ")
      s"coalesce($own) > $i"
    }
    for (algorithm <- Seq("a-greedy", "query-mesh")) {
      val frame = spark.sql(
        s"select /*+ ADAPTIVE_FILTER('$algorithm') */ count(*) from wide where ${where.mkString(" and ")}"
      )
      frame.collect()
      theAdaptiveFilter(frame)
      val sizes = methodSizes(frame)
      assert(sizes.min > 0 && sizes.max <= 8000, sizes)
    }
  }

  for ((n, width) <- Seq((100, 8), (300, 8), (500, 1), (500, 64), (65, 64)))
    test(s"$n conjuncts on $width columns adapt in code that is not too long for the JIT compiler") {
      val columns = (0 until 64).map(i => s"if(id % 50 = 49, null, cast(id + $i as string)) c$i")
      spark.range(3000).selectExpr(columns: _*).localCheckpoint().createOrReplaceTempView("wide")
      // With 65 conjuncts each reads all columns. The last conjunct drops most rows.
      val conditions = (0 until n - 1).map { i =>
        if (n == 65) s"concat(${(0 until width).map(j => s"c${(i + j) % width}").mkString(", ")}) <> '$i'"
        else s"c${i % width} <> '${40 * i}'"
      } :+ "c0 like '%1%3%'"
      val hint = "ADAPTIVE_FILTER('initialOrder=written', 'profilingProbability=0.1', 'profilingBudget=1')"
      val query = s"from wide where ${conditions.mkString(" and ")}"
      val frame = spark.sql(s"select /*+ $hint */ c0 $query")
      // Stock Spark's code for what reads as many columns as these is too long for a method, and it interprets it.
      val expected = withConf("spark.sql.codegen.fallback" -> "true")(stock(s"select c0 $query"))
      assert(rows(frame) == expected)
      val filter = theAdaptiveFilter(frame)
      assert(filter.conjuncts.size == n && filter.metrics("reorders").value > 0)
      val evaluations = filter.conjuncts.indices.map(q => filter.metrics(s"evaluations$q").value)
      assert(evaluations.last > 2500 && evaluations.sum < 3000 * n / 2, evaluations)
      val sizes = methodSizes(frame)
      info(s"$n conjuncts: $sizes bytes")
      assert(sizes.min > 0 && sizes.max <= 8000)
    }

  test("without a hint, a filter that cannot pay is left alone, with its reason") {
    val frame = spark.sql(s"select * from $numbers where id > 5 and id < 100000 and b = 2")
    assert(adaptiveFilters(frame).isEmpty)
    assert(whyNot(frame).map(_.refusal.code) == Seq("NOTHING_EXPENSIVE"))
  }

  test("a hint reaches a cheap filter, by SQL and by the frame's method, and marks no other frame") {
    val cheap = "id > 5 and id < 100000 and b = 2"
    def bySql = spark.sql(s"select /*+ adaptive_filter(sweep) */ id from $numbers where $cheap")
    assert(theAdaptiveFilter(bySql).settings.algorithm == "sweep")
    for (window <- Seq("500", "1000")) withConf("spark.streamon.filter.window" -> window) {
      assert(theAdaptiveFilter(bySql).settings.window == 500)
    }
    assert(theAdaptiveFilter(bySql).settings.window == 500)
    val plain = spark.table(numbers).where(cheap)
    val byMethod = plain.hint("adaptive_filter", "window=77")
    assert(theAdaptiveFilter(byMethod).settings.window == 77)
    assert(adaptiveFilters(plain).isEmpty)
    assert(rows(plain) == rows(byMethod))
  }

  test("a bad hint is an error that says what is allowed, and nothing where StreaMon is off") {
    val cheap = s"* from $numbers where id > 5 and id < 100000 and b = 2"
    val bad = "STREAMON_HINT_BAD_OPTION"
    val refused = Seq(
      "nonsense" -> Seq("'nonsense'", "'algorithm'", "a-greedy, sweep, independent, local-swaps, static"),
      "'window=-1'" -> Seq("'-1'", "'window'", "1 to 100000"),
      "'nothing=3'" -> Seq("'nothing' in 'nothing=3'", "algorithm, ", "profilingProbability"),
      "'profilingProbability=1.5'" -> Seq("'1.5'", "0 to 1.")
    )
    for ((hint, words) <- refused) {
      val query = s"select /*+ ADAPTIVE_FILTER($hint) */ $cheap"
      wrong(query, bad, words :+ "ADAPTIVE_FILTER" :+ "leave it out": _*)
      assert(stock(query) == stock(s"select $cheap"))
    }
    wrong(spark.table(numbers).hint("adaptive_filter", "nonsense"), bad, "'nonsense'")
    assert(spark.sql(s"select /*+ ADAPTIVE_FILTER */ * from $numbers").count() == 200000)
  }

  test("a bad setting is refused when it is set, with the allowed values") {
    val error = intercept[Exception](spark.conf.set("spark.streamon.filter.algorithm", "eddies"))
    assert(error.getMessage.contains("a-greedy, sweep, independent, local-swaps, static"))
    assert(
      intercept[Exception](spark.conf.set("spark.streamon.filter.profilingProbability", "1.5")).getMessage
        .contains("0 to 1")
    )
  }

  test("neighbours that share work are one conjunct, which computes it once") {
    spark
      .range(0, 20000)
      .selectExpr("id", """concat('{"x":', id % 50, ',"y":', id % 3, '}') j""")
      .createOrReplaceTempView("documents")
    val x = "cast(get_json_object(j, '$.x') as int)"
    val where = s"j like '%1%' and $x >= 10 and $x < 30 and id <> 7 and $x <> 12"
    val frame = spark.sql(s"select /*+ ADAPTIVE_FILTER */ id from documents where $where")
    assert(rows(frame) == stock(s"select id from documents where $where"))
    val sizes = theAdaptiveFilter(frame).conjuncts.map(_.predicates.size)
    assert(sizes.sum == 5 && sizes.max > 1)
  }
}
