package org.streamon.spark.sharing

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite

/** Branches of a UNION ALL with aggregates over the same rows. */
class AggregatedBranchSuite extends AnyFunSuite with SparkSuite with SharedQueries {

  test("aggregates of all rows, also where no row is left") {
    table()
    val list =
      "count(*) AS n, sum(d) + 1 AS d, coalesce(max(s), '-') AS s, min(y), count(y) FILTER (WHERE x > 3)"
    sharing(3) {
      for (from <- Seq("t", "(SELECT * FROM t WHERE id < 0)")) {
        val counts = branches(four :+ "x > 9")((c, k) => s"SELECT 'r$k' AS rule, $list FROM $from WHERE $c")
        assert(shared(counts).size == 5)
        shared(s"SELECT rule, n FROM ($counts) WHERE n > 30")
        shared(s"SELECT sum(n), max(s) FROM ($counts)")
        shared(s"SELECT * FROM ($counts) LIMIT 2")
        shared(s"SELECT * FROM ($counts) UNION ALL SELECT 'all', 1, 2, 's', y, 3 FROM t WHERE x = 3")
      }
      val twice = branches(Seq("x = 2", "x = 2", "true"))((c, _) => s"SELECT count(*) FROM t WHERE $c")
      assert(shared(twice) == Seq("[1000]", "[100]", "[100]"))
      shared(branches(four)((c, k) => s"SELECT '$k' AS rule FROM t WHERE $c HAVING true"))
    }
  }

  test("two kinds, and branches that have no others of their kind") {
    table()
    sharing(3) {
      val counted = branches(four)((c, k) => s"SELECT '$k', count(*) FROM t WHERE $c")
      val summed = branches(four)((c, k) => s"SELECT '$k', sum(id) FROM t WHERE $c")
      val others = "SELECT s, id FROM t WHERE x = 1 UNION ALL SELECT 'all', count(*) FROM range(5)"
      assert(shared(s"$counted UNION ALL $others UNION ALL $summed", 2).size == 109)
    }
  }

  test("groups") {
    table()
    sharing(3) {
      def grouped(list: String, by: String) = shared(
        branches(four :+ "x > 9")((c, k) => s"SELECT '$k' AS rule, $list FROM t WHERE $c GROUP BY $by")
      )
      assert(grouped("s, count(*) AS n", "s").size == 7)
      grouped("x % 3 AS third, f, max(id) - min(id)", "x % 3, f")
      grouped("sum(id)", "1")
      grouped("upper(s) || '!' AS key, count(y)", "upper(s) || '!'")
      for (list <- Seq("s, y", "'r' AS rule, s"))
        shared(branches(four)((c, _) => s"SELECT DISTINCT $list FROM t WHERE $c"))
      shared(branches(four)((c, k) => s"SELECT DISTINCT 'r$k' AS rule, s FROM t WHERE $c"))
      val computed = "(SELECT s, 2 * x AS twice, y, x, id FROM t)"
      shared(branches(four)((c, k) => s"SELECT s, sum(twice) AS n$k FROM $computed WHERE $c GROUP BY s"))
      // Spark reads the rows of each branch several times.
      shared(branches(four)((c, _) => s"SELECT s, f, count(*) FROM t WHERE $c GROUP BY s, f WITH ROLLUP"), 0)
    }
  }

  test("conditions on groups, which may differ in constants") {
    table()
    sharing(3) {
      for ((list, by) <- Seq("" -> "", ", f" -> "GROUP BY f")) {
        def having(condition: Int => String) = branches(four :+ "x > 9") { (c, k) =>
          s"SELECT '$k' AS rule, count(*) AS n, sum(y) AS s$list FROM t WHERE $c $by HAVING ${condition(k)}"
        }
        assert(shared(having(k => s"n > ${10 * k}")).nonEmpty)
        assert(shared(having(k => s"s >= $k AND max(id) < 990")).nonEmpty)
        shared(having(k => s"$k.5 <= sum(d) / 100"))
        shared(having(k => s"max(f) > ${if (k == 1) "-0.0D" else s"${k}D"}"))
        shared(having(_ => "sum(y) IS NULL OR n < 3"))
      }
    }
  }

  test("what a condition on groups guards") {
    table()
    def over(aggregate: String => String)(sql: String => String) =
      branches(Seq("x > 9", "x > 8", "id = 5"))((c, _) => sql(s"(${aggregate(c)})"))
    sharing(3) {
      shared(
        over(c => s"SELECT count(*) AS n FROM t WHERE $c")(from => s"SELECT 100 DIV n FROM $from WHERE n > 0")
      )
      shared(
        over(c => s"SELECT s, count(*) AS n FROM t WHERE $c GROUP BY s")(from =>
          s"SELECT s, 10 DIV (n - 1) FROM $from WHERE n <> 1"
        )
      )
    }
  }

  test("a condition guards the aggregates of its branch, and errors are those of the query") {
    table()
    val conditions = Seq("x <> 0 AND 10 / x > 2", "x > 3", "x = 9")
    val list = "sum(7 DIV x), max(7 DIV x) AS most"
    sharing(3) {
      shared(branches(conditions)((c, k) => s"SELECT $k, $list FROM t WHERE $c"))
      shared(branches(conditions)((c, k) => s"SELECT $k, 7 DIV x, $list FROM t WHERE $c GROUP BY 7 DIV x"))
      val raising = branches(conditions :+ "x < 2")((c, k) => s"SELECT $k, $list FROM t WHERE $c")
      assert(matchesOf(spark.sql(raising)).size == 1)
      val error = intercept[Exception](spark.sql(raising).collect())
      assert(error.getMessage.contains("DIVIDE_BY_ZERO"))
    }
  }

  test("columns that are computed from groups") {
    table()
    sharing(3) {
      // The key -f has 0.0 for both zeros.
      shared(
        branches(four)((c, _) =>
          s"SELECT -k, n FROM (SELECT f AS k, -f AS m, count(*) AS n FROM t WHERE $c GROUP BY f, -f) WHERE n > 0"
        )
      )
      shared(branches(four)((c, k) => s"SELECT array(count(*) > $k, max(s) IS NULL) FROM t WHERE $c"))
    }
  }

  test("aggregates and keys that differ in constants are different") {
    table()
    sharing(3) {
      def filtered(k: Int) = s"sum(id) FILTER (WHERE y > $k)"
      val ofHead = s"SELECT a, a AS b FROM (SELECT ${filtered(3)} AS a FROM t WHERE x = 1)"
      val others = branches(Seq("x = 2", "x = 3", "x = 4"))((c, k) =>
        s"SELECT ${filtered(3)} AS a, ${filtered(1)} AS b FROM t WHERE $c"
      )
      shared(s"$ofHead UNION ALL $others")
      shared(branches(Seq.fill(3)("x = 1"))((c, k) => s"SELECT ${filtered(k)} FROM t WHERE $c"), 0)
      val keyed = branches(four)((c, k) =>
        s"SELECT x > ${3 + k % 2} AS b, count(*) FROM t WHERE $c GROUP BY x > 3, x > 4"
      )
      shared(keyed, 0)
    }
  }

  test("a value that is null in some branches only") {
    table()
    sharing(3) {
      for (
        (list, by) <- Seq("" -> "", "s, " -> "GROUP BY s");
        from <- Seq("t", "(SELECT * FROM t WHERE y IS NOT NULL)")
      )
        shared(
          s"SELECT ${list}sum(y), min(y), count(y) FROM $from WHERE y IS NOT NULL AND x = 3 $by UNION ALL " +
            branches(Seq("x = 2", "y IS NULL", "x = 4"))((c, _) =>
              s"SELECT ${list}sum(y), min(y), count(y) FROM $from WHERE $c $by"
            )
        )
    }
  }

  test("filters over one aggregate compute it once") {
    table()
    sharing(3) {
      val groups = "(SELECT s, x, count(*) AS n, sum(f) AS f, count(DISTINCT y) AS y FROM t GROUP BY s, x)"
      val sql = branches(Seq("n > 30 AND f > 1", "n > 33 AND f > 40", "f > 50 OR n < 34"))((c, k) =>
        s"SELECT '$k', s, n FROM $groups WHERE $c"
      )
      assert(shared(sql).nonEmpty)
    }
  }
}
