package org.streamon.spark.matching.streams

import org.apache.spark.network.util.JavaUtils
import org.apache.spark.sql.{AnalysisException, Row}
import org.apache.spark.sql.classic.SparkSession

/** Rules that come and go while a stream runs. */
class ChangingRulesSuite extends AlertsSuite {
  private lazy val session: SparkSession = spark
  import session.implicits._

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
