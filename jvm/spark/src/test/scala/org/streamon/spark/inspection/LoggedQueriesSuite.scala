package org.streamon.spark.inspection

import org.scalatest.funsuite.AnyFunSuite

class LoggedQueriesSuite extends AnyFunSuite {
  private def query(name: String, operators: Int = 0) =
    LoggedQuery(
      name,
      name,
      "s",
      None,
      Set(1),
      adaptive = Seq.fill(operators)(AdaptiveOperator("o", "x" * 1000))
    )

  test("the oldest go when there is no more room; the one that is heard of again is the latest") {
    val queries = new LoggedQueries(3 * query("a").bytes)
    for (name <- Seq("a", "b", "c")) queries.put(query(name))
    queries.put(query("a"))
    assert(queries.all.map(_.query) == Seq("b", "c", "a"))
    queries.put(query("d"))
    assert(queries.all.map(_.query) == Seq("c", "a", "d"))
  }

  test("those that have operators stay longer than those that have none") {
    val (plain, telling) = (query("p").bytes, query("t", operators = 1).bytes)
    val queries = new LoggedQueries(2 * telling + plain)
    for (name <- Seq("t1", "t2")) queries.put(query(name, operators = 1))
    for (name <- Seq("p1", "p2", "p3")) queries.put(query(name))
    assert(queries.all.map(_.query) == Seq("t1", "t2", "p3"))
    queries.put(query("t3", operators = 1))
    assert(queries.all.map(_.query) == Seq("t2", "t3"))
  }

  test("one that is larger than all the room is kept alone") {
    val queries = new LoggedQueries(3 * query("a").bytes)
    for (name <- Seq("a", "b")) queries.put(query(name))
    queries.put(query("c", operators = 10))
    assert(queries.all.map(_.query) == Seq("c"))
    queries.put(query("a"))
    assert(queries.all.map(_.query) == Seq("a"))
  }
}
