package org.streamon.spark.matching

import org.apache.spark.sql.AnalysisException
import org.scalatest.funsuite.AnyFunSuite

/** Rules and tables of rules that are refused. */
class RuleErrorSuite extends AnyFunSuite with RulesView {
  private lazy val session = spark
  import session.implicits._

  private def refused(call: String): AnalysisException =
    intercept[AnalysisException](spark.sql(s"SELECT * FROM $call"))

  /** What is said of the only wrong one of three rules. */
  private def saidOf(condition: String): (String, String) = {
    Seq((1, "a")).toDF("x", "s").createOrReplaceTempView("t")
    rules("fine" -> "x > 0", "wrong" -> condition, "also fine" -> "s = 'a'")
    val error = refused("streamon_match(TABLE(t), TABLE(rules))")
    (error.getCondition, error.getMessage)
  }

  for {
    (condition, name, said) <- Seq(
      ("x >", "STREAMON_RULE_SYNTAX", "does not parse"),
      ("y = 1", "STREAMON_RULE_UNRESOLVED", "`y`"),
      ("x + 1", "STREAMON_RULE_TYPE", "INT"),
      ("x > 5 AS big", "STREAMON_RULE_UNSUPPORTED", "an alias"),
      ("x > CAST('abc' AS INT)", "STREAMON_RULE_UNRESOLVED", "abc"),
      ("max(x) > 1", "STREAMON_RULE_UNSUPPORTED", "aggregate"),
      ("x > (SELECT 1)", "STREAMON_RULE_UNSUPPORTED", "subquery"),
      ("row_number() OVER (ORDER BY x) = 1", "STREAMON_RULE_UNSUPPORTED", "window function"),
      ("explode(array(x)) > 1", "STREAMON_RULE_UNRESOLVED", "generator"),
      ("rand() > 0.5", "STREAMON_RULE_UNSUPPORTED", "not deterministic"),
      ("`condition 0 of streamon_match`", "STREAMON_RULE_UNRESOLVED", "condition 0")
    )
  } test(s"the condition $condition is refused, with the name of its rule") {
    val (found, message) = saidOf(condition)
    assert(found == name, message)
    assert(message.contains("'wrong'") && message.contains(condition) && message.contains(said), message)
  }

  test("a table of rules has a name and a condition in each row, each name once, and one row at least") {
    Seq((1, "a")).toDF("x", "s").createOrReplaceTempView("t")
    def of(all: (String, String)*) = {
      rules(all: _*)
      refused("streamon_match(TABLE(t), TABLE(rules))").getCondition
    }
    assert(of() == "STREAMON_RULES_NONE")
    assert(of("a" -> "x > 1", "a" -> "x > 2") == "STREAMON_RULES_TWICE")
    assert(of("a" -> null) == "STREAMON_RULES_INCOMPLETE")
    assert(of(" " -> "x > 1") == "STREAMON_RULES_INCOMPLETE")
    assert(
      refused("streamon_match(TABLE(t), TABLE(SELECT 'a' AS rule))").getCondition == "STREAMON_RULES_COLUMNS"
    )
  }

  test("arguments that are none are refused, and rows that have the column already") {
    Seq((1, "a")).toDF("x", "rules").createOrReplaceTempView("t")
    val one = "TABLE(SELECT 'r' AS rule, 'x > 0' AS condition)"
    for (
      call <- Seq(
        "streamon_match()",
        s"streamon_match($one)",
        s"streamon_match(TABLE(t), $one, 'rows')",
        s"streamon_match(TABLE(t) PARTITION BY x, $one)",
        "streamon_match(1, 2)"
      )
    ) assert(refused(call).getCondition == "STREAMON_MATCH_ARGUMENTS", call)
    assert(refused(s"streamon_match(TABLE(t), $one)").getCondition == "STREAMON_MATCH_COLUMN")
    assert(spark.sql(s"SELECT * FROM streamon_match(TABLE(t), $one, 'EXPLODED')").count() == 1)
  }

  test("sets that do not fit into the memory are an error that says so") {
    Seq((1, "a")).toDF("x", "s").createOrReplaceTempView("t")
    rules((0 until 500).map(i => s"r$i" -> s"x = $i"): _*)
    withConf("spark.streamon.match.memory" -> "1000b") {
      val error =
        intercept[Exception](spark.sql("SELECT * FROM streamon_match(TABLE(t), TABLE(rules))").collect())
      val all = Iterator.iterate[Throwable](error)(_.getCause).takeWhile(_ != null).map(_.getMessage).mkString
      assert(all.contains("STREAMON_RULES_MEMORY") && all.contains("spark.streamon.match.memory"), all)
    }
  }
}
