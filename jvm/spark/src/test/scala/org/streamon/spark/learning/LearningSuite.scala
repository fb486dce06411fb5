package org.streamon.spark.learning

import org.scalatest.funsuite.AnyFunSuite

/** What an execution of a filter begins with. */
class LearningSuite extends AnyFunSuite with Learners {

  for (codegen <- Seq("true", "false"))
    test(s"a second execution begins with the order that the first has learned; generated code $codegen") {
      val session = newSession("spark.sql.codegen.wholeStage" -> codegen)
      val (first, second) = (run(session), run(session))
      assert(first.beganFresh && first.rows == right, first)
      assert(second.beganLearned && second.rows == right, second)
    }

  test("so does a frame that is executed again") {
    val session = newSession()
    val hint = "ADAPTIVE_FILTER('initialOrder=written', 'profilingBudget=1', 'profilingProbability=0.2')"
    val frame = session.sql(s"select /*+ $hint */ id from numbers where $conditions")
    def reorders = theAdaptiveFilter(frame).metrics("reorders").value
    assert(rows(frame) == right)
    val once = reorders
    assert(once > 0)
    assert(rows(frame) == right && reorders == once)
  }

  test("another literal is another filter, and so is another type") {
    val session = newSession()
    run(session)
    assert(run(session, "s like '%' and b >= 0 and id % 1000 = 8").beganFresh)
    session.table("numbers").selectExpr("cast(id as int) id", "s", "b").createOrReplaceTempView("numbers")
    assert(run(session).beganFresh)
  }

  test("what one session has learned no other begins with") {
    run(newSession())
    assert(run(newSession()).beganFresh)
  }

  test("where learning is switched off nothing is begun with, and nothing kept") {
    val session = newSession("spark.streamon.learning.enabled" -> "false")
    assert(run(session).beganFresh && run(session).beganFresh)
    session.conf.set("spark.streamon.learning.enabled", "true")
    assert(run(session).beganFresh && run(session).beganLearned)
  }

  test("what is no longer true gives the right rows, and is corrected") {
    val session = newSession()
    run(session)
    rowsOf(session, id = "1000 * id + 7", b = "if(id = 5, 0, -1)")
    val corrected = run(session)
    assert(corrected.rows == Seq("[5007]") && corrected.reorders > 0, corrected)
    val after = run(session)
    assert(after.rows == Seq("[5007]") && after.evaluations.last < 0.5 && after.reorders == 0, after)
  }

  test("a forced order stands above what is learned, and is not learned") {
    val session = newSession()
    run(session)
    session.conf.set("spark.streamon.filter.forcedOrder", "0,1,2")
    assert(run(session).evaluations.take(2) == Seq(1.0, 1.0))
    session.conf.unset("spark.streamon.filter.forcedOrder")
    assert(run(session).beganLearned)
  }

  test("static, and a filter that samples nothing, begin with nothing learned: they could not correct it") {
    val session = newSession()
    run(session)
    for (option <- Seq("algorithm=static", "profilingProbability=0")) {
      val options = Seq("initialOrder=written", option)
      val hint = options.mkString("ADAPTIVE_FILTER('", "', '", "')")
      val frame = session.sql(s"select /*+ $hint */ id from numbers where $conditions")
      assert(rows(frame) == right)
      assert(theAdaptiveFilter(frame).metrics("evaluations0").value == 40000, option)
    }
    assert(run(session).beganLearned)
  }

  test("in strict mode conjuncts that may raise keep their place whatever has been learned") {
    val session = newSession()
    rowsOf(session, b = "if(id = 15000, 0, 1)")
    val where = "100 / b >= 0 and s like '%' and id % 1000 = 7"
    assert(run(session, where).beganFresh && run(session, where).beganLearned)
    val error = intercept[Exception](run(session, where, Seq("errors=strict")))
    assert(error.toString.contains("DIVIDE_BY_ZERO"))
  }

  test("guards are begun with: a row on which an error was withheld is met once") {
    val session = newSession()
    val where = "b <> 0 and s like '%' and 100 / b > 90"
    def reevaluated = {
      val frame = session.sql(
        s"select /*+ ADAPTIVE_FILTER('initialOrder=cheapest', 'profilingBudget=1', 'profilingProbability=0.2') */ " +
          s"id from numbers where $where"
      )
      val found = rows(frame)
      (found, theAdaptiveFilter(frame).metrics("reevaluatedRows").value)
    }
    val (first, second) = (reevaluated, reevaluated)
    assert(first._1 == second._1)
    assert(first._2 > 0 && second._2 == 0, (first._2, second._2))
  }

  test("EXPLAIN has the order that is begun with, and says that it is learned") {
    val session = newSession()
    def explained =
      session
        .sql(
          s"explain formatted select /*+ ADAPTIVE_FILTER('initialOrder=written') */ id from numbers where $conditions"
        )
        .head()
        .getString(0)
    assert(!explained.contains("learned"))
    run(session)
    assert(
      explained.linesIterator.exists(_.matches("First order, learned .*\\[3\\]: \\[\\(?\\(?.*id.*% 1000.*")),
      explained
    )
  }

  test("EXPLAIN of what has run has what it began with, whatever has been learned since") {
    val session = newSession()
    val hint = "ADAPTIVE_FILTER('initialOrder=written', 'profilingBudget=1', 'profilingProbability=0.2')"
    def ran() = {
      val frame = session.sql(s"select /*+ $hint */ id from numbers where $conditions")
      rows(frame)
      theAdaptiveFilter(frame).verboseStringWithOperatorId()
    }
    val (first, second) = (ran(), ran())
    assert(!first.contains("learned"), first)
    assert(second.contains("First order, learned"), second)
  }

  test("decisions name their executor") {
    val session = newSession()
    run(session)
    assert(
      session
        .sql("select distinct executor from streamon_decisions()")
        .collect()
        .map(_.getString(0))
        .toSeq == Seq("driver")
    )
  }
}
