package org.streamon.spark.sharing

import org.apache.spark.sql.catalyst.plans.logical.{Filter, Union}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.{InFolder, SparkSuite}

/** Conditions over the same rows that queries already have. */
class SharingSuite extends AnyFunSuite with SparkSuite with SharedQueries with InFolder {

  test("branches of a UNION ALL over the same rows") {
    table()
    sharing(3) {
      assert(shared(union(four: _*)).size > 100)
      // The same branch twice gives its rows twice.
      assert(shared(union("x = 2", "x = 2", "x = 2")).size == 300)
      assert(
        shared(
          "SELECT id FROM t WHERE x = 1 UNION ALL SELECT id FROM t WHERE x = 2 UNION ALL SELECT id FROM t"
        ).size == 1200
      )
      shared(
        Seq("0.0D", "-0.0D", "0.0D").map(c => s"SELECT $c AS zero FROM t WHERE x = 4").mkString(" UNION ALL ")
      )
      // A constant may be null, and of any type.
      shared(
        Seq("NULL", "DATE'2026-01-01'", "DATE'2026-01-02'")
          .map(c => s"SELECT CAST($c AS DATE) AS day, s FROM t WHERE x = 4")
          .mkString(" UNION ALL ")
      )
      // Two instants that have one text, when clocks go back.
      withConf("spark.sql.session.timeZone" -> "America/Los_Angeles")(
        shared(
          branches(Seq("-07:00", "-08:00", "-07:00"))((zone, k) =>
            s"SELECT TIMESTAMP'2024-11-03 01:30:00$zone' AS at FROM t WHERE x = $k"
          )
        )
      )
      shared(s"SELECT rule, count(*), sum(id) FROM (${union(four: _*)}) GROUP BY rule")
    }
  }

  test("branches that do not fit stay, in their places") {
    table()
    val others = Seq(
      "SELECT 'first' AS rule, id + 1 AS k, id FROM t WHERE x = 1",
      "SELECT s, x, y FROM t WHERE rand(1) >= 0 AND x = 1",
      "SELECT s, id, x FROM t WHERE x = 1 OR id IN (SELECT y FROM t)",
      "SELECT 'other', 9, CAST(id AS INT) FROM range(5)"
    )
    sharing(3) {
      val found = shared(
        s"${others.head} UNION ALL ${union(four: _*)} UNION ALL ${others.tail.mkString(" UNION ALL ")}"
      )
      assert(found.size > 100)
      shared(
        s"${union(four: _*)} UNION ALL ${union(four: _*).replace("FROM t", "FROM (SELECT id, x, y, s FROM t WHERE id > 500)")}",
        1
      )
      val two =
        s"${union(four: _*)} UNION ALL ${four.map(c => s"SELECT s, id, x FROM t WHERE $c").mkString(" UNION ALL ")}"
      shared(two, 2)
    }
  }

  test("a column is null in some branches only") {
    table()
    sharing(3) {
      val others =
        Seq("y IS NOT NULL", "x = 2", "y IS NULL").map(c => s"SELECT id, y AS value FROM t WHERE $c")
      for (all <- Seq(others, "SELECT id + 1, 0 FROM t WHERE x = 1" +: others))
        assert(shared(all.mkString(" UNION ALL ")).exists(_.contains("null")))
    }
  }

  test("columns may differ in the constants of comparisons") {
    table()
    sharing(3)(
      shared(
        branches(four)((c, k) =>
          s"SELECT id > ${100 * k} AS late, named_struct('large', id >= $k) AS s FROM t WHERE $c"
        )
      )
    )
  }

  test("conditional aggregates without groups") {
    table()
    sharing(3) {
      val all = Seq(
        "count_if(x > 8 AND y = 1) AS a",
        "count(CASE WHEN x = 2 THEN y END) AS b",
        "sum(CASE WHEN s = '1' THEN id END) AS c",
        "sum(CASE WHEN y > 2 THEN y ELSE 0 END) AS d",
        "sum(CASE WHEN x = 3 THEN d ELSE 0 END) + 1 AS e",
        "sum(d) FILTER (WHERE x = 5) AS f",
        "min(CASE WHEN x = 4 THEN s END) AS g",
        "max(f) FILTER (WHERE y = 3) AS h",
        "avg(CASE WHEN x > 5 THEN d END) AS i",
        "sum(CASE WHEN y IS NULL THEN y ELSE 0 END) AS j",
        "count(*) AS n"
      )
      for (from <- Seq("t", "(SELECT * FROM t WHERE id < 0)", "(SELECT * FROM t WHERE x = 9)")) {
        shared(s"SELECT ${all.mkString(", ")} FROM $from")
        shared(
          s"SELECT ${all.filterNot(a => a.contains("ELSE 0") || a.contains("count(*)")).mkString(", ")} FROM $from"
        )
      }
    }
  }

  test("conditional aggregates of groups, also those of which no condition holds") {
    table()
    sharing(3) {
      val some =
        "count_if(x = 1) AS a, sum(CASE WHEN x = 2 THEN id END) AS b, max(s) FILTER (WHERE x = 3) AS c"
      assert(shared(s"SELECT s, id % 50 AS k, $some FROM t GROUP BY s, id % 50").size == 150)
      assert(
        shared(
          s"SELECT f, $some, sum(CASE WHEN y = 1 THEN 1 ELSE 0 END) FROM t GROUP BY f HAVING a >= 0"
        ).size == 4
      )
      shared(s"SELECT $some FROM t WHERE id < 0 GROUP BY s")
      shared(s"SELECT s || '!' AS key, $some, count(*) FROM t GROUP BY s || '!'")
    }
  }

  test("arrays of CASE, in written order") {
    table()
    val cases = Seq("b" -> "x = 1", "a" -> "y = 1", "b" -> "id IN (1, 101)", "c" -> "x > 7 AND s = '2'")
    val nulls = s"array(${cases.map { case (n, c) => s"CASE WHEN $c THEN '$n' END" }.mkString(", ")})"
    val texts = s"array(${cases.map { case (n, c) => s"CASE WHEN $c THEN '$n' ELSE '' END" }.mkString(", ")})"
    val arrays =
      Seq(s"filter($nulls, r -> r IS NOT NULL)", s"array_compact($nulls)", s"array_remove($texts, '')")
    sharing(4) {
      for (array <- arrays) {
        assert(shared(s"SELECT id, $array AS rules FROM t").exists(_.contains("b, a, b")))
        val filtered =
          s"SELECT * FROM (SELECT id, x, $array AS rules FROM t) WHERE size(rules) > 0 AND id > 10"
        assert(shared(filtered).size < 500)
        assert(matchesOf(spark.sql(filtered)).forall(!_.keepsAll))
        shared(s"SELECT id FROM t WHERE x < 5 AND array_contains($array, 'a')")
        shared(s"SELECT size($array) AS n, count(*) FROM t GROUP BY 1")
      }
    }
  }

  test("a condition is evaluated where the query evaluates it, and errors are those of the query") {
    table()
    val cases = Seq("x <> 0 AND 10 / x > 2", "y = 1", "x = 3", "s = '2'").zipWithIndex
      .map { case (c, k) => s"CASE WHEN $c THEN '$k' END" }
    val array = s"filter(array(${cases.mkString(", ")}), r -> r IS NOT NULL)"
    sharing(3) {
      shared(s"SELECT id, $array AS rules FROM t")
      shared(union("x <> 0 AND 10 / x > 2", "x > 0 AND 7 % x = 1", "x = 1"))
      shared(
        "SELECT count_if(x <> 0 AND 10 / x > 2), sum(CASE WHEN x > 1 THEN 7 DIV x END), sum(CASE WHEN x < 5 THEN id END) FROM t"
      )
      val quotients = (1 to 3).map(k => s"sum(CASE WHEN x = $k THEN 7 DIV x END) AS q$k").mkString(", ")
      shared(s"SELECT s, $quotients FROM t GROUP BY s")
      val raising = array.replace("x <> 0 AND", "id >= 0 AND")
      for (
        conditional <- Seq(
          s"IF(x > 0, $raising, NULL)",
          s"coalesce(nullif(s, '1'), cast($raising AS STRING))"
        )
      ) {
        val sql = s"SELECT id, $conditional AS rules FROM t WHERE x > 0"
        assert(codes(sql) == Seq("MAY_RAISE") && rows(spark.sql(sql)) == stock(sql))
      }
      // The filter is written before the array.
      shared(s"SELECT id FROM t WHERE x > 0 AND size($raising) > 0")
      val error = intercept[Exception](spark.sql(s"SELECT $raising FROM t").collect())
      assert(error.getMessage.contains("DIVIDE_BY_ZERO"))
    }
  }

  test("nothing is shared unless it is asked for, and with StreaMon switched off") {
    table()
    assert(matchesOf(spark.sql(union(Seq.fill(20)("x = 1"): _*))).isEmpty)
    assert(codes(union("x = 1", "x = 2")).isEmpty)
    sharing(3)(withConf("spark.streamon.enabled" -> "false") {
      assert(matchesOf(spark.sql(union(four: _*))).isEmpty)
    })
    withConf("spark.streamon.match.share" -> "auto") {
      assert(matchesOf(spark.sql(union(Seq.fill(15)("x = 1"): _*))).isEmpty)
      assert(matchesOf(spark.sql(union(Seq.fill(16)("x = 1"): _*))).size == 1)
      def counted(condition: Int => String) =
        s"SELECT ${(1 to 40).map(k => s"count_if(${condition(k)})").mkString(", ")} FROM t"
      val cheap = counted(k => s"id < $k")
      assert(codes(cheap) == Seq("CHEAP_CONDITIONS") && matchesOf(spark.sql(cheap)).isEmpty)
      for (dear <- Seq[Int => String](k => s"x > 1 AND y = 2 AND id < $k", k => s"s RLIKE 'a+$k'"))
        assert(matchesOf(spark.sql(counted(dear))).size == 1)
    }
  }

  test("what all conditions ask reaches the scan, and columns that nobody reads do not") {
    inFolder { folder =>
      table()
      spark.table("t").write.parquet(s"$folder/t")
      for (version <- Seq("parquet", "")) withConf("spark.sql.sources.useV1SourceList" -> version) {
        spark.read.parquet(s"$folder/t").createOrReplaceTempView("stored")
        sharing(3) {
          val sql = Seq("x = 1 AND id < 50", "x = 3", "x IN (5, 6) AND s = '1'")
            .map(c => s"SELECT id FROM stored WHERE $c")
            .mkString(" UNION ALL ")
          assert(shared(sql).nonEmpty)
          val plan = spark.sql(sql).queryExecution.executedPlan.toString
          assert(
            plan.contains("PushedFilters: [In(x, [1,3,5,6])]") || plan.contains("PushedFilters: [x IN"),
            plan
          )
          assert(plan.contains("ReadSchema: struct<id:int,x:int,s:string>"), plan)
          assert(explained(spark.sql(sql)).contains("MatchRules, 3 rules"))
        }
      }
    }
  }

  test("a cached table, and a plan that is used twice") {
    table()
    spark.table("t").where("id < 700").cache()
    try
      sharing(3) {
        val sql = union(four: _*).replace("FROM t", "FROM (SELECT * FROM t WHERE id < 700)")
        shared(sql)
        assert(spark.sql(sql).queryExecution.executedPlan.toString.contains("InMemoryTableScan"))
        val frame = spark.sql(sql)
        assert(rows(frame) == rows(frame))
        val same = spark.sql(sql)
        val plans = Seq(frame, same).map(_.queryExecution.optimizedPlan)
        assert(plans.head.sameResult(plans.last) && !plans.head.isInstanceOf[Union])
        val other = spark.sql(sql.replace("x = 2", "x = 4")).queryExecution.optimizedPlan
        assert(
          !plans.head.sameResult(other) && other.exists(_.isInstanceOf[Filter]) == plans.head
            .exists(_.isInstanceOf[Filter])
        )
      }
    finally spark.catalog.clearCache()
  }
}
