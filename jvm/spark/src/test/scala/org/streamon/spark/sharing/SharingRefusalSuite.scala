package org.streamon.spark.sharing

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types.{BooleanType, IntegerType}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite
import org.streamon.spark.errors.Refusal
import org.streamon.spark.rules.ShareSelections

/** Why conditions over the same rows are evaluated one by one. */
class SharingRefusalSuite extends AnyFunSuite with SparkSuite with SharedQueries {
  test("each refusal has its code") {
    table()
    val three = "count_if(x = 1), count_if(x = 2), count_if(x = 3)"
    def aggregated(list: String, more: String = "") =
      branches(Seq("x = 1", "x = 2", "x = 3"))((c, _) => s"SELECT $list FROM t WHERE $c $more")
    val refusals = Seq(
      "TOO_FEW_CONDITIONS" -> "SELECT count_if(x = 1), count(CASE WHEN y = 1 THEN 1 END) FROM t",
      "TOO_FEW_CONDITIONS" -> union("x = 1", "x = 2"),
      "TOO_FEW_CONDITIONS" -> "SELECT array_compact(array(CASE WHEN x = 1 THEN 'a' END)) AS a FROM t",
      "DIFFERENT_ROWS" -> "SELECT id FROM t WHERE x = 1 UNION ALL SELECT x FROM t WHERE x = 2 UNION ALL SELECT 1",
      "DIFFERENT_ROWS" -> "SELECT count(*) FROM t WHERE x = 1 UNION ALL SELECT sum(id) FROM t WHERE x = 2 UNION ALL SELECT 1",
      "UNSTEADY_ROWS" -> Seq
        .fill(3)("SELECT count(*) FROM (SELECT * FROM t LIMIT 5) WHERE x > 1")
        .mkString(" UNION ALL "),
      "UNSTEADY_ROWS" -> Seq
        .fill(3)("SELECT x FROM (SELECT * FROM t LIMIT 5) WHERE x > 1")
        .mkString(" UNION ALL "),
      "UNFIT_CONDITION" -> s"SELECT $three, count_if(x = (SELECT max(y) FROM t)) FROM t",
      "UNFIT_AGGREGATE" -> s"SELECT $three, count(DISTINCT y) FILTER (WHERE x = 1) FROM t",
      "UNFIT_AGGREGATE" -> s"SELECT $three, first(y) FROM t",
      "UNFIT_AGGREGATE" -> aggregated("count(DISTINCT y)"),
      "UNFIT_CONDITION" -> aggregated("count(*)", "AND y = (SELECT max(id) FROM t)"),
      "ORDER_DEPENDENT" -> aggregated("sum(f)"),
      "UNFIT_KEY" -> aggregated("s COLLATE UTF8_LCASE AS k, count(*)", "GROUP BY 1"),
      "ORDER_DEPENDENT" -> s"SELECT $three, sum(f) FILTER (WHERE x = 1) FROM t",
      "ORDER_DEPENDENT" -> s"SELECT $three, avg(CASE WHEN x = 4 THEN id END) FROM t",
      "UNFIT_KEY" -> s"SELECT s COLLATE UTF8_LCASE AS k, $three FROM t GROUP BY 1",
      "TOO_MANY_FUNCTIONS" -> s"SELECT $three, ${(0 to 40).map(k => s"sum(id + $k)").mkString(", ")} FROM t"
    )
    sharing(3) {
      for ((code, sql) <- refusals) {
        val frame = spark.sql(sql)
        assert(
          matchesOf(frame).isEmpty && codes(sql).contains(code),
          s"$sql\n${codes(sql)}\n${frame.queryExecution}"
        )
        assert(code == "UNSTEADY_ROWS" || code == "UNFIT_KEY" || rows(frame) == stock(sql))
      }
      withConf("spark.streamon.match.memory" -> "1b")(
        assert(codes(union(four: _*)) == Seq("RULES_TOO_LARGE"))
      )
      spark.readStream.format("rate").load().createOrReplaceTempView("events")
      val stream = Seq.fill(3)("SELECT value FROM events WHERE value > 1").mkString(" UNION ALL ")
      assert(codes(stream) == Seq("STREAMING"))
    }
  }

  private val x = AttributeReference("x", IntegerType)()

  test("a condition with a Python function or a column of an outer query is no rule") {
    val python =
      PythonUDF("f", null, BooleanType, Seq(x), evalType = 100, udfDeterministic = true)
    val outer = EqualTo(OuterReference(x), Literal(1))
    for ((condition, what) <- Seq(python -> "a Python function", outer -> "a column of an outer query")) {
      val found = FitConditions.refusal(Seq(EqualTo(x, Literal(1)), Not(condition)))
      assert(found.contains(Refusal.UnfitCondition(Not(condition).sql, what)))
    }
    assert(FitConditions.refusal(Seq(EqualTo(x, Literal(1)))).isEmpty)
  }

  test("if sharing fails, Spark's plan stays, with the reason") {
    val rows = SharingRefusalSuite.Broken(Seq(x))
    val plan = Union((1 to 3).map(k => Project(Seq(x), Filter(EqualTo(x, Literal(k)), rows))))
    sharing(3) {
      val kept = ShareSelections(spark)(plan)
      assert(kept.eq(plan))
      assert(kept.getTagValue(ShareSelections.refusal).contains(Refusal.SharingFailed("broken")))
    }
  }
}

private object SharingRefusalSuite {

  /** Rows that cannot be compared with others. */
  final case class Broken(output: Seq[Attribute]) extends LeafNode {
    override def doCanonicalize(): LogicalPlan = throw new IllegalStateException("broken")
  }
}
