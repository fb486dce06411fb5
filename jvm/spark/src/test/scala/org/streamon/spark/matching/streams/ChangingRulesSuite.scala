package org.streamon.spark.matching.streams

import scala.jdk.CollectionConverters._

import java.nio.file.{Files, Path}

import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.{AnalysisException, DataFrame, Row}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.functions.expr
import org.apache.spark.sql.streamon.Plans
import org.apache.spark.sql.streaming.{StreamingQuery, StreamingQueryException}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.{InFolder, SparkSuite}

/** Rules that come and go while a stream runs. */
class ChangingRulesSuite extends AnyFunSuite with SparkSuite with InFolder {
  private lazy val session: SparkSession = spark
  import session.implicits._

  private def withAlerts[T](body: Alerts => T): T = inFolder(folder => body(new Alerts(spark, folder)))

  private def call(function: String, arguments: String*): Seq[Row] =
    spark.sql(s"SELECT * FROM $function(${arguments.map(a => s"'$a'").mkString(", ")})").collect().toSeq

  private def add(query: StreamingQuery, rule: String, condition: String): Seq[Row] =
    call("streamon_add_rule", query.id.toString, rule, condition)

  private def remove(query: StreamingQuery, rule: String): Seq[Row] =
    call("streamon_remove_rule", query.id.toString, rule)

  /** Each rule with its state. */
  private def states(query: StreamingQuery): Seq[(String, String)] =
    call("streamon_rules", query.id.toString).map(row => row.getString(1) -> row.getString(3))

  /** Each with StreaMon and without. */
  private def both(name: String)(body: Alerts => Unit): Unit = for (enabled <- Seq("true", "false"))
    test(s"$name, with spark.streamon.enabled=$enabled") {
      withConf("spark.streamon.enabled" -> enabled)(withAlerts(body))
    }

  test("the table is read in each micro-batch") {
    withAlerts { alerts =>
      alerts.write("small" -> "x < 10", "odd" -> "x % 2 = 1")
      alerts.running() { query =>
        assert(alerts.push(query, 3, 4, 50) == Seq(3 -> "odd", 3 -> "small", 4 -> "small"))
        alerts.write("odd" -> "x % 2 = 1", "fifty" -> "x = 50")
        assert(alerts.push(query, 3, 4, 50) == Seq(3 -> "odd", 50 -> "fifty"))
        alerts.write("odd" -> "x % 2 = 1 AND x > 3", "fifty" -> "x = 50")
        assert(alerts.push(query, 3, 5) == Seq(5 -> "odd"))
      }
    }
  }

  both("rules are added and removed by hand") { alerts =>
    alerts.write("small" -> "x < 10")
    alerts.running() { query =>
      add(query, "big", "x > 100")
      assert(alerts.push(query, 1, 200) == Seq(1 -> "small", 200 -> "big"))
      remove(query, "small")
      assert(alerts.push(query, 1, 200) == Seq(200 -> "big"))
      add(query, "big", "x > 1000")
      remove(query, "nobody")
      assert(alerts.push(query, 1, 200, 2000) == Seq(2000 -> "big"))
    }
    // They outlive the run.
    alerts.running() { query =>
      assert(alerts.push(query, 1, 200, 2000) == Seq(2000 -> "big"))
      remove(query, "big")
      add(query, "small", "x < 2")
      assert(alerts.push(query, 1, 2, 2000) == Seq(1 -> "small"))
    }
  }

  test("the states of rules are shown") {
    withAlerts { alerts =>
      alerts.write("small" -> "x < 10")
      alerts.running() { query =>
        alerts.push(query, 1)
        assert(add(query, "big", "x > 100").map(_.getString(1)) == Seq("big", "small"))
        assert(states(query) == Seq("big" -> "waiting", "small" -> "active"))
        alerts.push(query, 1)
        assert(states(query) == Seq("big" -> "active", "small" -> "active"))
        assert(call("streamon_rules", query.id.toString).head == Row(0, "big", "x > 100", "active", null))
      }
    }
  }

  test("a rule that is not valid is left out with its name, and the others go on") {
    withAlerts { alerts =>
      alerts.write("small" -> "x < 10")
      alerts.running() { query =>
        alerts.push(query, 1)
        alerts.write(
          "small" -> "x < 10",
          "typo" -> "x <",
          "unknown" -> "y = 1",
          "cast" -> "x > CAST('abc' AS INT)",
          "twice" -> "x = 1",
          "twice" -> "x = 2",
          "big" -> "x > 100",
          "none" -> null
        )
        assert(alerts.push(query, 1, 200) == Seq(1 -> "small", 200 -> "big"))
        val rejected = call("streamon_rules", query.id.toString).filter(_.getString(3) == "rejected")
        assert(rejected.map(_.getString(1)) == Seq("cast", "none", "twice", "typo", "unknown"))
        for (row <- rejected) assert(row.getString(4).contains(row.getString(1)))
        // Until they are mended.
        alerts.write("small" -> "x < 10", "typo" -> "x < 5")
        assert(alerts.push(query, 1, 7) == Seq(1 -> "small", 1 -> "typo", 7 -> "small"))
        assert(states(query) == Seq("small" -> "active", "typo" -> "active"))
      }
    }
  }

  test("a rule that is not valid cannot be added") {
    withAlerts { alerts =>
      alerts.write("small" -> "x < 10")
      alerts.running() { query =>
        alerts.push(query, 1)
        for ((condition, error) <- Seq("x <" -> "SYNTAX", "y = 1" -> "UNRESOLVED", "x + 1" -> "TYPE")) {
          val refused = intercept[AnalysisException](add(query, "wrong", condition))
          assert(refused.getCondition == s"STREAMON_RULE_$error")
        }
        assert(states(query) == Seq("small" -> "active"))
      }
    }
  }

  test("a micro-batch that is run again has the rules that it had") {
    withAlerts { alerts =>
      alerts.write("small" -> "x < 10")
      alerts.running() { query =>
        alerts.push(query, 1)
        add(query, "two", "x = 2")
        alerts.fails = true
        intercept[StreamingQueryException](alerts.push(query, 2))
      }
      alerts.fails = false
      alerts.write("odd" -> "x % 2 = 1")
      alerts.found.clear()
      alerts.running() { query =>
        query.processAllAvailable()
        assert(alerts.found.toMap == Map(1L -> Seq(2 -> "small", 2 -> "two")))
        assert(alerts.push(query, 2, 3) == Seq(2 -> "two", 3 -> "odd"))
      }
      // One that was committed is not run again, so the rules are the new ones at once.
      alerts.write("even" -> "x % 2 = 0")
      alerts.running()(query => assert(alerts.push(query, 3, 4) == Seq(4 -> "even")))
    }
  }

  test("where the table cannot be read, the rules stay, and why is shown") {
    withAlerts { alerts =>
      alerts.write("small" -> "x < 10")
      alerts.running() { query =>
        assert(alerts.push(query, 1) == Seq(1 -> "small"))
        JavaUtils.deleteRecursively(alerts.checkpoint.resolveSibling("rules").toFile)
        assert(alerts.push(query, 2) == Seq(2 -> "small"))
        assert(call("streamon_rules", query.id.toString).forall(_.getString(4) != null))
        alerts.write("big" -> "x > 100")
        assert(alerts.push(query, 2, 200) == Seq(200 -> "big"))
        assert(call("streamon_rules", query.id.toString).forall(_.isNullAt(4)))
      }
    }
  }

  test("rules that take too much memory are not taken over") {
    withConf("spark.streamon.match.memory" -> "20k") {
      withAlerts { alerts =>
        alerts.write("small" -> "x < 10")
        alerts.running() { query =>
          alerts.push(query, 1)
          alerts.write((0 until 4000).map(k => s"r$k" -> s"x BETWEEN $k AND ${3 * k}"): _*)
          assert(alerts.push(query, 1, 5) == Seq(1 -> "small", 5 -> "small"))
          val found = call("streamon_rules", query.id.toString)
          assert(found.forall(_.getString(4).contains("spark.streamon.match.memory")))
          assert(found.groupMapReduce(_.getString(3))(_ => 1)(_ + _) == Map("active" -> 1, "waiting" -> 4000))
        }
      }
    }
  }

  both("without rules there are no rows, and state below stays") { alerts =>
    alerts.write("any" -> "x > 0")
    alerts.running(_.dropDuplicates("x")) { query =>
      assert(alerts.push(query, 1, 2) == Seq(1 -> "any", 2 -> "any"))
      remove(query, "any")
      assert(alerts.push(query, 3) == Nil)
      add(query, "all", "x > 0")
      assert(alerts.push(query, 1, 2, 3, 4) == Seq(4 -> "all"))
    }
  }

  test("the clock of a rule that comes later is that of its micro-batch") {
    withAlerts { alerts =>
      alerts.write("any" -> "x > 0")
      alerts.running(_.selectExpr("x", "current_timestamp() AS t")) { query =>
        alerts.push(query, 1)
        add(query, "now", "t = current_timestamp()")
        add(query, "day", "CAST(t AS DATE) = current_date()")
        add(query, "then", "t < current_timestamp()")
        assert(alerts.push(query, 1) == Seq(1 -> "any", 1 -> "day", 1 -> "now"))
      }
    }
  }

  both("the state of an aggregate below has the columns that later rules read") { alerts =>
    alerts.write("many" -> "c > 1")
    val from = (numbers: DataFrame) =>
      numbers
        .groupBy(expr("x % 10 AS k"))
        .agg(expr("count(*) AS c"), expr("max(x) AS m"))
        .selectExpr("k AS x", "c", "m")
    alerts.running(from, mode = "update") { query =>
      assert(alerts.push(query, 1, 11) == Seq(1 -> "many"))
      add(query, "big", "m > 100")
      assert(alerts.push(query, 101, 2) == Seq(1 -> "big", 1 -> "many"))
      remove(query, "many")
      assert(alerts.push(query, 1, 2) == Seq(1 -> "big"))
    }
  }

  both("the state of an aggregate below has the rows that later rules read") { alerts =>
    alerts.write("r" -> "x > 10")
    alerts.running(_.groupBy("x").count(), mode = "update") { query =>
      assert(alerts.push(query, 7, 7, 20) == Seq(20 -> "r"))
      add(query, "r", "x > 5 AND count > 2")
      assert(alerts.push(query, 7) == Seq(7 -> "r"))
    }
  }

  both("the state of a join below has the columns and rows that later rules read") { alerts =>
    alerts.write("r" -> "x > 10")
    val from = (numbers: DataFrame) =>
      numbers
        .selectExpr("x", "x + 1000 AS p")
        .join(numbers.selectExpr("x AS y", "x + 2000 AS q"), expr("x = y"))
    alerts.running(from) { query =>
      assert(alerts.push(query, 1, 20) == Seq(20 -> "r"))
      add(query, "pq", "p = 1001 AND q = 2001")
      assert(alerts.push(query, 1) == Seq.fill(3)(1 -> "pq"))
    }
  }

  both("the state of what the rows are joined with does not depend on the rules") { alerts =>
    alerts.write("small" -> "x < 10")
    val to = (m: DataFrame) => m.join(alerts.input.toDF().toDF("y"), expr("x = y")).select("x", "rule")
    alerts.running(to = to) { query =>
      assert(alerts.push(query, 1, 200) == Seq(1 -> "small"))
      add(query, "big", "x > 100")
      assert(alerts.push(query, 200) == Seq.fill(2)(200 -> "big"))
      remove(query, "small")
      remove(query, "big")
      assert(alerts.push(query, 3) == Nil)
      add(query, "three", "x = 3")
      assert(alerts.push(query, 3) == Seq.fill(2)(3 -> "three"))
    }
  }

  both("a frame may be joined with itself, united with itself, and planned again") { alerts =>
    alerts.write("small" -> "x < 10")
    val to = (m: DataFrame) => {
      val joined = m.as("a").join(m.as("b"), expr("a.x = b.x AND a.rule = b.rule")).select("a.x", "b.rule")
      alerts.afterwards = () => Plans.of(spark, joined.queryExecution.analyzed).executedPlan: Unit
      joined.union(m.where("x > 5")).union(m.where("x <= 5"))
    }
    alerts.running(to = to) { query =>
      assert(alerts.push(query, 1, 7) == Seq(1 -> "small", 1 -> "small", 7 -> "small", 7 -> "small"))
      add(query, "big", "x > 100")
      assert(alerts.push(query, 200) == Seq(200 -> "big", 200 -> "big"))
    }
  }

  test("queries on one frame have rules of their own") {
    inFolder { folder =>
      val (one, two) = (new Alerts(spark, folder.resolve("one")), new Alerts(spark, folder.resolve("two")))
      one.write("small" -> "x < 10")
      val frame = one.matched(identity)
      val queries = Seq(one, two).map(_.start(frame, "append"))
      try {
        add(queries.head, "one", "x = 1")
        add(queries(1), "two", "x = 2")
        one.input.addData(1, 2)
        queries.foreach(_.processAllAvailable())
        assert(one.found.values.flatten.toSeq == Seq(1 -> "one", 1 -> "small", 2 -> "small"))
        assert(two.found.values.flatten.toSeq == Seq(1 -> "small", 2 -> "small", 2 -> "two"))
      } finally queries.foreach(_.stop())
    }
  }

  test("a new query refuses a rule of a table that is not valid; one with a checkpoint goes on") {
    withAlerts { alerts =>
      alerts.write("small" -> "x < 10", "typo" -> "x <")
      alerts.running() { query =>
        val failed = intercept[StreamingQueryException](alerts.push(query, 1))
        assert(failed.getMessage.contains("STREAMON_RULE_SYNTAX") && failed.getMessage.contains("'typo'"))
      }
      alerts.write("small" -> "x < 10")
      alerts.running()(query => assert({ query.processAllAvailable(); alerts.found(0) } == Seq(1 -> "small")))
      alerts.write("small" -> "x < 10", "typo" -> "x <", "big" -> "x > 100")
      alerts.running()(query => assert(alerts.push(query, 2, 200) == Seq(2 -> "small", 200 -> "big")))
    }
  }

  test("a micro-batch whose rules are not valid any more is not run again with others") {
    withAlerts { alerts =>
      alerts.write("even" -> "y % 2 = 0")
      val from = (numbers: DataFrame) => numbers.selectExpr("x", "x AS y")
      alerts.running(from) { query =>
        alerts.fails = true
        intercept[StreamingQueryException](alerts.push(query, 2))
      }
      alerts.fails = false
      alerts.write("small" -> "x < 10")
      alerts.running() { query =>
        val failed = intercept[StreamingQueryException](query.processAllAvailable())
        assert(failed.getMessage.contains("STREAMON_RULES_REPLAY") && failed.getMessage.contains("'even'"))
      }
      alerts.running(from) { query =>
        query.processAllAvailable()
        assert(alerts.found(0) == Seq(2 -> "even"))
      }
    }
  }

  test("the log keeps as many micro-batches as the query does, and their rules") {
    withConf("spark.sql.streaming.minBatchesToRetain" -> "2") {
      withAlerts { alerts =>
        alerts.write("any" -> "x > 0")
        alerts.running() { query =>
          for (k <- 1 to 12) {
            if (k % 3 == 0) add(query, s"r$k", s"x = $k")
            alerts.push(query, k)
          }
        }
        def logged(kind: String): Seq[String] =
          numbersIn(alerts.checkpoint.resolve(s"streamon/rules/0/$kind"))
        assert(logged("batches") == Seq("10", "11", "9"))
        // Those of the micro-batches 8 to 10, and of 11.
        assert(logged("sets") == Seq("3", "4"))
        assert(logged("changes") == Seq("3"))
      }
    }
  }

  private def numbersIn(folder: Path): Seq[String] = {
    val files = Files.list(folder)
    try files.iterator.asScala.map(_.getFileName.toString).filter(_.forall(_.isDigit)).toSeq.sorted
    finally files.close()
  }

  test("calls that are not understood are refused") {
    def refused(function: String, arguments: String*) =
      intercept[AnalysisException](call(function, arguments: _*)).getCondition
    val nobody = "00000000-0000-0000-0000-000000000000"
    assert(refused("streamon_rules") == "STREAMON_RULES_ARGUMENTS")
    assert(refused("streamon_add_rule", nobody, "a") == "STREAMON_RULES_ARGUMENTS")
    assert(refused("streamon_rules", nobody) == "STREAMON_RULES_QUERY")
    assert(refused("streamon_rules", "my query") == "STREAMON_RULES_QUERY")
    assert(refused("streamon_remove_rule", nobody, "a") == "STREAMON_RULES_QUERY")
    inFolder { folder =>
      val numbers = spark.readStream.format("rate").load().selectExpr("CAST(value AS INT) AS x")
      numbers.createOrReplaceTempView("numbers")
      Seq("small" -> "x < 10").toDF("rule", "condition").createOrReplaceTempView("few")
      Seq("big" -> "x > 10").toDF("rule", "condition").createOrReplaceTempView("more")
      val two = Seq("few", "more").map(r =>
        spark.sql(s"SELECT x, rules FROM streamon_match(TABLE(numbers), TABLE($r))")
      )
      for (
        (frame, error) <- Seq(
          numbers -> "STREAMON_RULES_NO_CALL",
          two.head.union(two(1)) -> "STREAMON_RULES_CALLS"
        )
      ) {
        val query = frame.writeStream.format("noop").option("checkpointLocation", s"$folder/$error").start()
        try assert(refused("streamon_add_rule", query.id.toString, "a", "x = 1") == error)
        finally query.stop()
      }
    }
  }

  test("EXPLAIN changes nothing") {
    withAlerts { alerts =>
      alerts.write("small" -> "x < 10")
      alerts.running() { query =>
        spark.sql(s"EXPLAIN SELECT * FROM streamon_add_rule('${query.id}', 'big', 'x > 100')").collect()
        assert(states(query).map(_._1) == Seq("small"))
      }
    }
  }
}
