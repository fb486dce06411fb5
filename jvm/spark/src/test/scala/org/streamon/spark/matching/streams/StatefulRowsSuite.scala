package org.streamon.spark.matching.streams

import org.apache.spark.sql.DataFrame
import org.apache.spark.sql.functions.expr
import org.apache.spark.sql.streamon.Plans

/** Rules that change below, above and beside operators with a state. */
class StatefulRowsSuite extends AlertsSuite {
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
}
