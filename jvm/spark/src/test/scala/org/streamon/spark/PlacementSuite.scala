package org.streamon.spark

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.datasources.v2.RealTimeStreamScanExec
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec
import org.apache.spark.sql.execution.streaming.sources.LowLatencyMemoryStream
import org.apache.spark.sql.types.LongType
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.errors.Refusal
import org.streamon.spark.execution.AdaptiveFilterExec
import org.streamon.spark.planning.{FilterPlanner, MJoinStrategy}
import org.streamon.spark.rules.{AdaptFilters, AdaptPythonFilters, HoldIdleSources}

/** Where adaptive filters stand in a plan, and that the rest of the plan is as Spark makes it. */
class PlacementSuite extends AnyFunSuite with SparkSuite {
  private val dear = "s LIKE '%1%2%' AND sha2(s, 256) < '8'"
  private val cheap = "id > 5 AND b = 2"

  override def beforeAll(): Unit = {
    super.beforeAll()
    val frame =
      spark.range(3000).selectExpr("id", "cast(id AS STRING) s", "cast(id % 7 AS INT) b", "id % 3 p")
    // Without a checkpoint both conditions would share the cast, and be one.
    frame.localCheckpoint().createOrReplaceTempView("t")
    frame.write.partitionBy("p").format("parquet").saveAsTable("placed")
  }

  override def afterAll(): Unit = {
    spark.sql("DROP TABLE IF EXISTS placed")
    super.afterAll()
  }

  /** Queries, with the adaptive filters that each must have. */
  private val queries = Seq(
    s"SELECT * FROM t WHERE $dear" -> 1,
    s"SELECT * FROM t WHERE $dear UNION ALL SELECT * FROM t WHERE $dear AND b = 1" -> 2,
    s"SELECT * FROM t WHERE $dear AND id > (SELECT avg(id) FROM t WHERE $dear)" -> 2,
    s"SELECT * FROM t WHERE $dear AND id IN (SELECT id FROM t WHERE s LIKE '%4%5%' AND sha2(s, 256) < '9')" -> 2,
    s"SELECT p, count(*) n FROM t WHERE $dear GROUP BY p HAVING n > 3 AND sha2(cast(n AS STRING), 256) < 'f'" -> 2,
    s"WITH c AS (SELECT * FROM t WHERE $dear) SELECT a.id FROM c a JOIN c b ON a.id = b.id" -> 2,
    s"SELECT * FROM placed WHERE $dear AND p = 1" -> 1,
    s"SELECT a.id FROM t a LEFT JOIN t b ON a.id = b.id WHERE coalesce(b.s, '') LIKE '%1%2%' AND sha2(b.s, 256) < '8'" -> 1
  )

  for (aqe <- Seq("true", "false"); (query, expected) <- queries)
    test(s"AQE $aqe: $expected in $query") {
      withConf("spark.sql.adaptive.enabled" -> aqe) {
        val frame = spark.sql(query)
        assert(rows(frame) == stock(query))
        assert(adaptiveFilters(frame).size >= expected, frame.queryExecution.executedPlan)
        assert(collectWithSubqueries(frame.queryExecution.executedPlan) { case f: FilterExec => f }.isEmpty)
      }
    }

  test("with Spark's filter put back, the plan is that of stock Spark") {
    def withoutAdaptive(plan: SparkPlan) = plan.transformWithSubqueries { case f: AdaptiveFilterExec =>
      FilterExec(f.condition, f.child)
    }
    withConf("spark.sql.adaptive.enabled" -> "false")(queries.foreach { case (query, _) =>
      val ours = spark.sql(query).queryExecution.sparkPlan
      assert(shape(withoutAdaptive(spark.sql(query).queryExecution.executedPlan)) == shape(stockPlan(query)))
      assert(ours.collect { case f: AdaptiveFilterExec => f }.isEmpty)
    })
  }

  test("switched off, every operator is Spark's own, whatever hints say") {
    withConf("spark.streamon.enabled" -> "false", "spark.streamon.filter.mode" -> "always") {
      for ((query, _) <- queries) {
        val hinted = query.replaceFirst("SELECT", "SELECT /*+ ADAPTIVE_FILTER */")
        val operators = collectWithSubqueries(run(hinted)) { case p => p.getClass.getName }
        assert(operators.forall(_.startsWith("org.apache.spark.sql.execution.")), operators)
      }
    }
  }

  test("push-down is unchanged") {
    val query = s"SELECT id FROM placed WHERE p = 1 AND id > 100 AND s > '2' AND b IN (1, 2) AND $dear"
    def scan(plan: SparkPlan) = collect(plan) { case s: FileSourceScanExec => s }.head.metadata
    val (ours, stocks) = (scan(run(query)), scan(stockPlan(query)))
    for (key <- Seq("PushedFilters", "PartitionFilters", "DataFilters", "ReadSchema"))
      assert(withoutIds(ours(key)) == withoutIds(stocks(key)), key)
    assert(ours("PushedFilters").contains("GreaterThan(id,100)"))
    assert(ours("PartitionFilters").contains("= 1"))
  }

  test("equal exchanges above adaptive filters are reused") {
    val side = s"SELECT b, count(*) n FROM placed WHERE $dear GROUP BY b"
    val query = s"SELECT * FROM ($side) x JOIN ($side) y ON x.n = y.n"
    for (aqe <- Seq("true", "false"))
      withConf("spark.sql.adaptive.enabled" -> aqe, "spark.sql.autoBroadcastJoinThreshold" -> "-1") {
        def reused(plan: SparkPlan) = collect(plan) { case r: ReusedExchangeExec => r }.size
        val frame = spark.sql(query)
        assert(rows(frame) == stock(query))
        assert(adaptiveFilters(frame).nonEmpty)
        assert(reused(frame.queryExecution.executedPlan) == reused(stockPlan(query)))
        assert(reused(frame.queryExecution.executedPlan) == 1)
      }
  }

  test("EXPLAIN names the operator, the algorithm and the conjuncts before the query runs, under AQE too") {
    for (aqe <- Seq("true", "false"))
      withConf("spark.sql.adaptive.enabled" -> aqe, "spark.streamon.learning.enabled" -> "false") {
        val execution = spark.sql(s"SELECT * FROM t WHERE $dear").queryExecution
        for (mode <- Seq("simple", "extended", "formatted", "cost", "codegen")) {
          val text = execution.explainString(ExplainMode.fromString(mode))
          assert(text.contains("AdaptiveFilter"), s"$mode, AQE $aqe: $text")
        }
        val simple = execution.simpleString
        assert(
          simple.contains("[a-greedy]") && simple.contains("LIKE %1%2%") && simple.contains("sha2("),
          simple
        )
        val formatted = execution.explainString(ExplainMode.fromString("formatted"))
        for (part <- Seq("Algorithm : a-greedy", "Conjuncts [", "First order [", "LIKE %1%2%"))
          assert(formatted.contains(part), formatted)
      }
  }

  test("a cached table is filtered adaptively, and may itself be the result of an adaptive filter") {
    spark.sql(s"CACHE TABLE kept AS SELECT * FROM t WHERE $dear")
    try {
      val query = "SELECT id FROM kept WHERE s LIKE '%3%4%' AND sha2(s, 256) > '2'"
      assert(adaptiveFilters(spark.sql(query)).size == 1)
      assert(
        rows(spark.sql(query)) == stock(
          s"SELECT id FROM t WHERE $dear AND s LIKE '%3%4%' AND sha2(s, 256) > '2'"
        )
      )
    } finally spark.sql("UNCACHE TABLE kept")
  }

  test("more than a hundred columns, where Spark generates no code") {
    spark
      .range(500)
      .selectExpr("id" +: "cast(id AS STRING) s" +: (0 until 120).map(i => s"id + $i AS c$i"): _*)
      .localCheckpoint()
      .createOrReplaceTempView("wide")
    val query = "SELECT * FROM wide WHERE s LIKE '%1%2%' AND c7 % 2 = 0 AND sha2(s, 256) < 'a'"
    assert(rows(spark.sql(query)) == stock(query))
    assert(!theAdaptiveFilter(spark.sql(query)).generated)
  }

  test(
    "a filter whose generated code Spark gives up says that it does not adapt, in the log and when it is asked"
  ) {
    val query = s"SELECT id FROM t WHERE $dear"
    val said = Warnings.during {
      for (aqe <- Seq("true", "false"))
        withConf("spark.sql.adaptive.enabled" -> aqe, "spark.sql.codegen.hugeMethodLimit" -> "1") {
          val frame = spark.sql(query)
          assert(codes(frame).isEmpty)
          assert(rows(frame) == stock(query))
          assert(theAdaptiveFilter(frame).metrics("evaluations0").value == 0)
          assert(codes(frame) == Seq("CODEGEN_FELL_BACK"))
          assert(explained(frame).contains("spark.sql.codegen.hugeMethodLimit"))
          val plan = theAdaptiveFilter(frame).simpleString(100)
          assert(plan.contains("does not adapt: CODEGEN_FELL_BACK") && !plan.contains("a-greedy"), plan)
        }
    }
    assert(said.count(_.contains("CODEGEN_FELL_BACK")) == 1, said)
    for (
      adapts <- Seq(
        "spark.sql.codegen.wholeStage" -> "false",
        "spark.sql.codegen.factoryMode" -> "NO_CODEGEN",
        "spark.sql.codegen.maxFields" -> "1"
      )
    ) withConf(adapts) {
      val frame = spark.sql(query)
      assert(rows(frame) == stock(query))
      assert(theAdaptiveFilter(frame).metrics("evaluations0").value > 0, adapts)
      assert(codes(frame).isEmpty)
    }
  }

  test("500 conjuncts are adaptive, interpreted 64; with one more the filter is Spark's, with its reason") {
    def query(n: Int) =
      s"SELECT id FROM t WHERE ${(1 to n).map(i => s"id % ${100 + i} <> 3").mkString(" AND ")}"
    withConf("spark.streamon.filter.mode" -> "always") {
      assert(theAdaptiveFilter(spark.sql(query(500))).conjuncts.size == 500)
      assert(rows(spark.sql(query(500))) == stock(query(500)))
      assert(codes(spark.sql(query(501))) == Seq("TOO_MANY_CONJUNCTS"))
      assert(rows(spark.sql(query(501))) == stock(query(501)))
      withConf("spark.sql.codegen.wholeStage" -> "false") {
        assert(theAdaptiveFilter(spark.sql(query(64))).conjuncts.size == 64)
        assert(codes(spark.sql(query(65))) == Seq("TOO_MANY_CONJUNCTS"))
        assert(rows(spark.sql(query(65))) == stock(query(65)))
      }
    }
  }

  test("a hint holds for its block: in a view, a CTE, a nested block, and for no other") {
    spark.sql(
      s"CREATE OR REPLACE TEMP VIEW seen AS SELECT /*+ ADAPTIVE_FILTER(sweep) */ * FROM t WHERE $cheap"
    )
    assert(algorithms(spark.sql("SELECT * FROM seen")) == Seq("sweep"))
    assert(
      algorithms(
        spark.sql(s"WITH c AS (SELECT /*+ ADAPTIVE_FILTER(sweep) */ * FROM t WHERE $cheap) SELECT * FROM c")
      ) ==
        Seq("sweep")
    )
    val inner = s"SELECT /*+ ADAPTIVE_FILTER(independent) */ b, count(*) n FROM t WHERE $cheap GROUP BY b"
    assert(algorithms(spark.sql(s"SELECT b FROM ($inner) WHERE n > 5 AND n % 2 = 0")) == Seq("independent"))
    val outer = s"SELECT b, count(*) n FROM t WHERE $cheap GROUP BY b"
    val hintedOuter = s"SELECT /*+ ADAPTIVE_FILTER(local-swaps) */ b FROM ($outer) WHERE n > 5 AND n % 2 = 0"
    assert(intercept[Exception](spark.sql(hintedOuter)).getMessage.contains("PARSE"))
    val quoted = hintedOuter.replace("local-swaps", "'local-swaps'")
    assert(algorithms(spark.sql(quoted)).contains("local-swaps"))
  }

  test("the modes: off, hint, auto, always; a hint beats the gate") {
    def adaptive(mode: String, hint: String, where: String) =
      withConf("spark.streamon.filter.mode" -> mode)(
        adaptiveFilters(spark.sql(s"SELECT $hint * FROM t WHERE $where")).nonEmpty
      )
    val hint = "/*+ ADAPTIVE_FILTER */"
    val found =
      for (mode <- Seq("off", "hint", "auto", "always"))
        yield mode -> Seq(adaptive(mode, "", cheap), adaptive(mode, "", dear), adaptive(mode, hint, cheap))
    assert(
      found.toMap == Map(
        "off" -> Seq(false, false, false),
        "hint" -> Seq(false, false, true),
        "auto" -> Seq(false, true, true),
        "always" -> Seq(true, true, true)
      )
    )
  }

  test(
    "the extension is loaded twice here, by conf and by ServiceLoader, and each session is injected once"
  ) {
    val services = java.util.ServiceLoader.load(classOf[org.apache.spark.sql.SparkSessionExtensionsProvider])
    assert(services.iterator.next().isInstanceOf[StreamonExtensions])
    assert(spark.conf.get("spark.sql.extensions").contains("StreamonExtensions"))
    def injected(session: SparkSession) = {
      val state = session.sessionState
      Seq(
        state.planNormalizationRules.count(_ == HoldIdleSources),
        state.planner.strategies.count(_ == MJoinStrategy),
        state.columnarRules.size,
        state.adaptiveRulesHolder.queryStagePrepRules.count(_.isInstanceOf[AdaptPythonFilters]),
        state.adaptiveRulesHolder.queryStagePrepRules.count(_.isInstanceOf[AdaptFilters])
      )
    }
    assert(injected(spark) == Seq(1, 1, 1, 1, 1))
    assert(injected(spark.newSession()) == Seq(1, 1, 1, 1, 1))
    // Another session of this JVM has extensions of its own.
    SparkSession.clearActiveSession()
    SparkSession.clearDefaultSession()
    val other =
      try SparkSuite.builder("local[2]").getOrCreate()
      finally {
        SparkSession.setDefaultSession(spark)
        SparkSession.setActiveSession(spark)
      }
    assert((other ne spark) && injected(other) == Seq(1, 1, 1, 1, 1))
    assert(adaptiveFilters(spark.sql(s"SELECT * FROM t WHERE $dear")).size == 1)
  }

  test("each refusal has its code") {
    val many = (0 until 70).map(i => s"c$i")
    spark
      .range(9)
      .selectExpr("id" +: many.map(c => s"id AS $c"): _*)
      .localCheckpoint()
      .createOrReplaceTempView("broad")
    def sum(columns: Seq[String]) = columns.mkString(" + ")
    val broad = s"SELECT id FROM broad WHERE ${sum(many.take(40))} > 1 AND ${sum(many.drop(30))} > 2"
    val always = "spark.streamon.filter.mode" -> "always"
    val refusals = Seq(
      ("FEWER_THAN_TWO_CONJUNCTS", "SELECT id FROM t WHERE id = 3", Seq(always)),
      ("NOTHING_EXPENSIVE", s"SELECT id FROM t WHERE $cheap", Nil),
      ("MODE_OFF", s"SELECT id FROM t WHERE $dear", Seq("spark.streamon.filter.mode" -> "off")),
      ("NO_HINT", s"SELECT id FROM t WHERE $dear", Seq("spark.streamon.filter.mode" -> "hint")),
      ("TOO_MANY_COLUMNS", broad, Seq(always)),
      ("NOT_DETERMINISTIC", "SELECT id FROM t WHERE rand(1) < 0.5 AND id > 3", Seq(always)),
      (
        "STRICT_WITHOUT_CODEGEN",
        "SELECT id FROM t WHERE id > 3 AND 10 / id > 1",
        Seq(always, "spark.streamon.filter.errors" -> "strict", "spark.sql.codegen.wholeStage" -> "false")
      ),
      (
        "RULE_FAILED",
        s"SELECT id FROM t WHERE $dear",
        Seq("spark.streamon.filter.forcedOrder" -> "99999999999")
      )
    )
    for ((code, query, settings) <- refusals) withConf(settings: _*) {
      assert(codes(spark.sql(query)).contains(code), query)
      if (code != "NOT_DETERMINISTIC") assert(rows(spark.sql(query)) == stock(query))
    }
  }

  test("a query in real-time mode is left alone, whatever its filter costs") {
    val session = spark
    import session.implicits._
    val id = AttributeReference("id", LongType)()
    val scan = RealTimeStreamScanExec(Seq(id), null, LowLatencyMemoryStream[Int](session), null, 1000L)
    val condition = And(GreaterThan(id, Literal(3L)), LessThan(id, Literal(9L)))
    withConf("spark.streamon.filter.mode" -> "always") {
      val planner = new FilterPlanner(spark.sessionState.conf)
      assert(planner.plan(FilterExec(condition, scan)).left.toOption.contains(Refusal.RealTimeMode))
      assert(planner.plan(FilterExec(condition, LocalTableScanExec(Seq(id), Nil, None))).isRight)
    }
  }

  private def run(query: String): SparkPlan = {
    val frame = spark.sql(query)
    frame.collect()
    frame.queryExecution.executedPlan
  }

  private def stockPlan(query: String): SparkPlan = withConf("spark.streamon.enabled" -> "false")(run(query))

  /** A plan as text, without what differs from one analysis to the next. */
  private def shape(plan: SparkPlan): String = withoutIds(plan.treeString)

  private def withoutIds(text: String): String =
    text
      .replaceAll("#\\d+L?", "")
      .replaceAll("(plan_id|id)=#?\\d*", "")
      .replaceAll("\\* ?\\(\\d+\\)|\\*\\(\\d+\\)", "")

  private def algorithms(frame: DataFrame): Seq[String] =
    adaptiveFilters(frame).map(_.settings.algorithm).distinct

  private def codes(frame: org.apache.spark.sql.classic.DataFrame): Seq[String] =
    whyNot(frame).map(_.refusal.code)
}
