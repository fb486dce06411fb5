package org.streamon.spark.matching.streams

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.streaming.StreamingQueryException

/** Queries that are started again with their checkpoint: micro-batches that are run again have their rules.
  */
class ReplayedRulesSuite extends AlertsSuite {
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
}
