package org.streamon.spark.matching

import scala.util.{Success, Try}

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.runtime.MemoryStream
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite
import org.streamon.spark.execution.selections.MatchRulesExec

/** What the tasks of a `streamon_match` learn: how the driver is told, and who begins with it. */
class MatchLearningSuite extends AnyFunSuite with SparkSuite {

  /** A session in which nothing has been learned, with rows of which `late` tells first that no rule holds.
    */
  private def newSession(settings: (String, String)*): SparkSession = {
    val session = spark.newSession()
    for ((key, value) <- settings) session.conf.set(key, value)
    session
      .range(0, 60000, 1, 2)
      .selectExpr(
        "id",
        "id % 10 AS first",
        "id % 20 AS second",
        "id % 10000 AS late",
        "CAST(id % 7 AS STRING) AS s"
      )
      .createOrReplaceTempView("events")
    rules(
      session,
      "a" -> s"first > 0 AND second > 0 AND (late < 3 OR $never)",
      "b" -> s"first > 1 AND second > 1 AND (late IN (7, 9999) OR $never)"
    )
    session
  }

  /** Values that do not occur. They make `late` look as if it told little, until rows have been seen, and
    * spare the rows a filter by what all rules have in common.
    */
  private val never = s"late > 20000 OR late IN ${(20001 to 20030).mkString("(", ", ", ")")}"

  private def rules(session: SparkSession, all: (String, String)*): Unit = {
    import session.implicits._
    all.toDF("rule", "condition").createOrReplaceTempView("rules")
  }

  private val sql = "SELECT id, rule FROM streamon_match(TABLE(events), TABLE(rules), 'exploded')"

  private def operator(frame: DataFrame): MatchRulesExec =
    collect(frame.queryExecution.executedPlan) { case m: MatchRulesExec => m }.head

  /** The columns in the order that EXPLAIN says a next execution begins with; none when nothing is known. */
  private def begins(session: SparkSession, sql: String = sql): Option[Seq[String]] = {
    val text = operator(session.sql(sql)).verboseStringWithOperatorId()
    "First order, learned [^ ]+ +\\[\\d+\\]: \\[(.*)\\]".r
      .findFirstMatchIn(text)
      .map(_.group(1).split(", ").toSeq)
  }

  private def table(session: SparkSession, name: String, of: String = "") =
    session.sql(s"SELECT * FROM $name($of)")

  /** What the driver knows of changes of order once a frame has been executed so often that there is one:
    * orders are reviewed beside the tasks.
    */
  private def learn(session: SparkSession, operator: String = "MatchRules"): Seq[Row] = {
    val frame = session.sql(sql)
    def decisions = table(session, "streamon_decisions").where(s"operator = '$operator'").collect().toSeq
    Iterator
      .continually { frame.collect(); decisions }
      .take(100)
      .find(_.nonEmpty)
      .getOrElse(fail("nothing has been learned"))
  }

  /** The counts of the latest execution. */
  private def latest(session: SparkSession, operator: String): Seq[Row] = {
    val stats = table(session, "streamon_stats").where(s"operator = '$operator'").collect().toSeq
    def number(row: Row) = row.getAs[String]("query").stripPrefix("execution-").toInt
    stats.filter(number(_) == stats.map(number).max)
  }

  test("the order of columns changes while a query runs, and the driver is told why") {
    val session = newSession()
    val decisions = learn(session)
    val last = decisions.last
    assert(last.getAs[Seq[String]]("new_order").head == "late", last)
    assert(last.getAs[Seq[String]]("old_order").toSet == Set("first", "second", "late"))
    assert(last.getAs[Double]("new_lookups") < last.getAs[Double]("old_lookups"))
    assert(last.getAs[Double]("new_lookups") < 1.1 && last.getAs[String]("algorithm") == "hybrid-sequence")
    assert(last.getAs[Int]("arrows") == 0)

    session.sql(sql).collect()
    val stats = latest(session, "MatchRules")
    def of(column: String) = stats.find(_.getAs[String]("conjunct") == column).get
    assert(of("late").getAs[Int]("position") == 0)
    assert(stats.forall(s => s.getAs[Long]("input_rows") == 60000 && s.getAs[Long]("output_rows") == 24))
    assert(stats.map(_.getAs[Long]("drops")).sum == 60000 - 24)
    assert(of("late").getAs[Long]("evaluations") == 60000 && of("first").getAs[Long]("evaluations") < 3000)
    assert(of("late").getAs[Long]("profiled") > 0)
  }

  test("the next execution begins with what was learned, and so does one of other rules over the columns") {
    val session = newSession()
    assert(begins(session).isEmpty)
    learn(session)
    assert(begins(session).exists(_.head == "late"))
    val again = session.sql(sql)
    again.collect()
    val asked = operator(again).texts.zipWithIndex.map { case (column, c) =>
      column -> operator(again).metrics(s"asked$c").value
    }.toMap
    // Sampled rows are looked up in all columns.
    assert(asked("late") == 60000 && asked("first") < 3000 && asked("second") < 3000, asked)

    rules(session, "c" -> s"first > 3 AND second > 0 AND (late = 10 OR $never)")
    assert(begins(session).exists(_.head == "late"))
    rules(session, "d" -> "first > 3 AND second > 0")
    assert(begins(session).isEmpty)
    assert(begins(newSession()).isEmpty)
  }

  test("rows that repeat in a period are sampled like others") {
    val session = newSession()
    // Of each 50 rows the first 37 fail one comparison and the others the other one.
    session
      .range(0, 60000, 1, 1)
      .selectExpr("id", "id % 50 AS often", "id % 50 + 0 AS seldom")
      .createOrReplaceTempView("events")
    rules(session, "a" -> "seldom < 37 AND often >= 37")
    val frame = session.sql(sql)
    def asked(column: String) =
      operator(frame).metrics(s"asked${operator(frame).texts.indexOf(column)}").value
    assert(
      Iterator
        .continually { operator(frame).resetMetrics(); frame.collect() }
        .take(20)
        .exists(_ => asked("often") == 60000 && asked("seldom") < 20000)
    )
  }

  test("rows are sampled until enough have told the order, and no longer") {
    val frame = newSession().sql(sql)
    def sampled = operator(frame).metrics("sampled").value
    val counts = Iterator
      .continually {
        operator(frame).resetMetrics()
        frame.collect()
        sampled
      }
      .take(100)
      .toSeq
    // Each row with a chance of one in fifty, and none during a search. The bounds are five deviations away.
    assert(counts.forall(_ <= 60000 / 50 + 170), counts)
    assert(counts.head >= 10000 / 50 - 70 && counts.sum >= 1000 && counts.last == 0, counts)
  }

  test("where learning is switched off nothing is begun with; a forced sequence is kept and not learned") {
    val off = newSession("spark.streamon.learning.enabled" -> "false")
    off.sql(sql).collect()
    assert(begins(off).isEmpty)
    val session = newSession("spark.streamon.match.sequence" -> "second, nothing")
    val forced = session.sql(sql)
    assert(forced.collect().length == 24)
    assert(operator(forced).metrics("sampled").value == 0)
    val second = operator(forced).texts.indexOf("second")
    assert(operator(forced).metrics(s"asked$second").value == 60000)
    assert(operator(forced).verboseStringWithOperatorId().contains("First order, forced"))
    session.conf.unset("spark.streamon.match.sequence")
    assert(begins(session).isEmpty)
  }

  test("conditions without a look-up are evaluated in a learned order, each once for all rules") {
    val session = newSession()
    val often = "length(s) + id % 3 > 0" // true
    val seldom = "id % 1000 + second = 27 + first"
    rules(
      session,
      (0 until 5).map(i => s"r$i" -> s"first >= $i AND s LIKE '%${i + 1}' AND $often AND $seldom"): _*
    )
    session.conf.set("spark.streamon.enabled", "false")
    val expected = rows(session.sql(sql))
    session.conf.set("spark.streamon.enabled", "true")
    val decisions = learn(session, "MatchRules, conditions")
    assert(decisions.last.getAs[String]("algorithm") == "filter-bank")
    val frame = session.sql(sql)
    assert(rows(frame) == expected && expected.nonEmpty)
    val stats = latest(session, "MatchRules, conditions")
    assert(stats.length == 7)
    def of(text: String) = stats.find(_.getAs[String]("conjunct").contains(text)).get
    assert(of("27").getAs[Int]("position") < of("length").getAs[Int]("position"))
    // Once for a row, though five rules have it.
    assert(of("27").getAs[Long]("evaluations") <= 60000 && of("27").getAs[Long]("drops") > 50000)
    assert(of("length").getAs[Long]("evaluations") < 10000)
    assert(operator(frame).metrics("residuals").value == stats.map(_.getAs[Long]("evaluations")).sum)
  }

  test(
    "an error that a condition raises out of turn is withheld; in strict mode none is evaluated out of turn"
  ) {
    val operator = "MatchRules, conditions"
    // The guard is dear and drops little, so it would go behind.
    val guard = "sha2(concat(s, first, second, late), 512) <> 'x' AND id % 4000 + first <> 24"
    val guarded = "guarded" -> s"$guard AND 10 DIV (id % 4000 - 17) = 1"
    val session = newSession()
    rules(session, guarded)
    learn(session, operator)
    assert(session.sql(sql).collect().length == 15 * 5)
    val withheld = table(session, "streamon_stats").where(s"operator = '$operator' AND reevaluated > 0")
    assert(withheld.count() > 0)
    val strict = newSession("spark.streamon.filter.errors" -> "strict")
    rules(strict, guarded)
    for (_ <- 1 to 3) assert(strict.sql(sql).collect().length == 15 * 5)
    assert(table(strict, "streamon_decisions").count() == 0)
    val stats = latest(strict, operator)
    assert(stats.nonEmpty && stats.forall(s => s.getAs[Int]("position") == s.getAs[Int]("written")))
  }

  test("in strict mode a comparison does not guard what is written ahead of it") {
    def found(session: SparkSession) = {
      rules(session, "r" -> "100 DIV (id - 7) > -1000 AND first = 99", "s" -> "first = 98")
      Try(session.sql(sql).collect().toSeq)
    }
    assert(found(newSession()) == Success(Nil))
    val strict = found(newSession("spark.streamon.filter.errors" -> "strict"))
    assert(strict.failed.get.getMessage.contains("DIVIDE_BY_ZERO"))
  }

  test("rules without a look-up, and rules of one column, are among the refusals") {
    val session = newSession()
    def refused = whyNot(session.sql(sql)).filter(_.operator == "MatchRules")
    rules(session, "slow" -> "first + second > 20", "slower" -> "id + late > first", "always" -> "true")
    val slow = refused
    assert(slow.map(_.refusal.code) == Seq("EVALUATED_ROW_BY_ROW"))
    assert(
      slow.head.condition == "slow, slower" && slow.head.refusal.reason
        .startsWith("Rules without a look-up: 2.")
    )
    rules(session, "one" -> "first = 3")
    assert(refused.map(_.refusal.code) == Seq("ONE_COLUMN"))
    rules(session, "two" -> "first = 3 AND late > 2")
    assert(refused.isEmpty)
  }

  test("a stream goes on with what it has learned when its rules change") {
    val session = newSession()
    import session.implicits._
    val input = MemoryStream[Int](session)
    input
      .toDF()
      .selectExpr("value AS id", "value % 10 AS first", "value % 10000 AS late")
      .createOrReplaceTempView("events")
    rules(
      session,
      "a" -> s"first > 0 AND (late < 3 OR $never)",
      "b" -> s"first > 1 AND (late IN (7, 9999) OR $never)"
    )
    var batches = 0
    val query = session
      .sql(sql)
      .writeStream
      .format("memory")
      .queryName("found")
      .start()
    try {
      def isLearned = table(session, "streamon_decisions", s"'${query.id}'").count() > 0
      assert(Iterator.from(0).take(50).exists { _ =>
        input.addData(0 until 40000)
        query.processAllAvailable()
        batches += 1
        isLearned
      })
      session.sql(s"SELECT * FROM streamon_add_rule('${query.id}', 'c', 'first > 3 AND late = 9')")
      input.addData(40000 until 50000)
      query.processAllAvailable()
    } finally query.stop()
    val stats = table(session, "streamon_stats", s"'${query.id}'").collect()
    val late = stats.find(_.getAs[String]("conjunct") == "late").get
    assert(late.getAs[Int]("position") == 0 && late.getAs[Long]("input_rows") == 40000 * batches + 10000)
    assert(session.table("found").where("rule = 'c'").count() == 1)
  }
}
