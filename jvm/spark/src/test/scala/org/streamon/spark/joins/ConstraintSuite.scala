package org.streamon.spark.joins

import org.streamon.spark.SparkSuite
import org.streamon.spark.execution.joins.MirrorRegistry
import org.scalatest.funsuite.AnyFunSuite

/** What an MJoin lets go of by constraints, and what becomes of it. */
class ConstraintSuite extends AnyFunSuite with SparkSuite with ConstrainedStreams {
  private def sum(runs: Runs, metric: String): Long =
    runs.progress.map(_.customMetrics.get(metric).longValue).sum

  private val chain =
    "SELECT /*+ MJOIN, UNIQUE(b, id), UNIQUE(c, id) */ a.v av, b.v bv, c.v cv " +
      "FROM a JOIN b ON a.to = b.id JOIN c ON b.to = c.id"

  for (name <- Seq("approximate", "exact"))
    test(s"$name: rows that are in their result, or wait in vain, leave memory") {
      withConf(mode(name): _*) {
        val in = streams
        running(spark.sql(onOneKey)) { runs =>
          for (batch <- 0 until 16) {
            bring(runs)(packets(in, batch))
          }
          assert(runs.rows == in.asTables(stock(onOneKey)) && runs.rows.size == 150)
          // Without constraints they are 800 + 150 + 150.
          val kept = last(runs).numRowsTotal - now(runs, "mjoinColdRows")
          assert(kept < 300, s"$kept rows, ${now(runs, "mjoinColdRows")} cold")
          assert((now(runs, "mjoinColdRows") > 600) == (name == "exact"))
        }
      }
    }

  test("exact finds what comes long after it was given up, approximate does not, and observe counts both") {
    for (name <- Seq("exact", "approximate", "observe")) withConf(mode(name): _*) {
      val in = streams
      running(spark.sql(onOneKey)) { runs =>
        for (batch <- 0 until 16) {
          bring(runs)(packets(in, batch))
        }
        val before = runs.rows.size
        // Of the first micro-batch, whose others have been let go of.
        val late = (1L until 50 by 5).map(id => Link(id * 7919 % 100003, 1, 99))
        bring(runs) {
          in.add("b", late: _*)
          in.add("c", late: _*)
        }
        val expected = in.asTables(stock(onOneKey))
        assert(expected.size == before + 10)
        assert(runs.rows.toSet.subsetOf(expected.toSet))
        if (name == "approximate") assert(runs.rows.size == before)
        else assert(runs.rows == expected, name)
        if (name == "exact") assert(sum(runs, "mjoinViolations") == 10)
      }
    }
  }

  /** Runs of parents of one child, which comes first; children are never referred to again. */
  private def clusters(in: Streams[Link], batch: Int): Unit = {
    val ids = batch * 10L until batch * 10L + 10
    in.add("c", ids.map(id => Link(id * 7919 % 100003, 0, batch)): _*)
    in.add("b", ids.map(id => Link(id * 31 % 100019, id * 7919 % 100003, batch)): _*)
    in.add("a", ids.flatMap(id => Seq.fill(6)(Link(0, id * 31 % 100019, batch))): _*)
  }

  for (name <- Seq("approximate", "exact"))
    test(s"$name: children go when no more parents come, all down a chain") {
      withConf(mode(name): _*) {
        val in = streams
        running(spark.sql(chain)) { runs =>
          for (batch <- 0 until 12) {
            bring(runs)(clusters(in, batch))
          }
          assert(runs.rows == in.asTables(stock(chain)) && runs.rows.size == 720)
          val kept = last(runs).numRowsTotal - now(runs, "mjoinColdRows")
          assert(kept < 400, s"$kept rows of 960")
        }
      }
    }

  /** A declared CA, and the rows v, x, v, x, v, x, v, each a micro-batch. */
  private def alternating(k: Int)(body: (Runs, Streams[Link], String) => Unit): Unit = {
    val in = streams
    val sql = onOneKey.replaceAll("UNIQUE.*c, id\\)", s"K_CONSTRAINT('CA', a, b, $k)")
    running(spark.sql(sql)) { runs =>
      bring(runs)(for (name <- Seq("b", "c")) in.add(name, Link(1, 0, 0), Link(2, 0, 0)))
      for (id <- Seq(1L, 2L, 1L, 2L, 1L, 2L)) bring(runs)(in.add("a", Link(id, 0, 0)))
      body(runs, in, sql)
    }
  }

  test("CA counts the others from the first row of a key to its last: of v, x, v, x, v, x, v that is 3") {
    for ((k, violations) <- Seq(0 -> 5L, 1 -> 3L, 2 -> 1L, 3 -> 0L)) withConf(mode("exact"): _*) {
      alternating(k) { (runs, in, sql) =>
        bring(runs)(in.add("a", Link(1, 0, 0)))
        assert(runs.rows == in.asTables(stock(sql)) && runs.rows.size == 7)
        assert(known(runs, "declared", "violations") == violations, s"k = $k")
      }
    }
    withConf(mode("strict"): _*) {
      alternating(k = 3)((runs, in, _) => bring(runs)(in.add("a", Link(1, 0, 0))))
      alternating(k = 2) { (runs, in, _) =>
        val error = failure(bring(runs)(in.add("a", Link(1, 0, 0))))
        assert(error.contains("[STREAMON_CONSTRAINT_VIOLATED]") && error.contains("breaks CA a on id"), error)
      }
    }
  }

  for (name <- Seq("approximate", "exact"))
    test(s"$name: the k of CA that is learned spans all rows of a key, however close each is to the next") {
      withConf(mode(name): _*) {
        val in = streams
        val sql = onOneKey.replace("UNIQUE(a, id), UNIQUE(b, id), ", "")
        running(spark.sql(sql)) { runs =>
          for (batch <- 0 until 40) bring(runs) {
            val ids = Seq(batch / 4 * 2L, batch / 4 * 2L + 1)
            if (batch % 4 == 0) for (name <- Seq("b", "c")) in.add(name, ids.map(Link(_, 0, batch)): _*)
            in.add("a", ids.map(Link(_, 0, batch)): _*)
          }
          assert(runs.rows == in.asTables(stock(sql)) && runs.rows.size == 80)
          // In the two micro-batches between the first and the last is one row of the other key each.
          assert(known(runs, "used AND referring_input IS NULL AND input = 'a'", "k") == 2)
          assert(known(runs, "used AND referring_input IS NULL AND input = 'a'", "violations") == 0)
          assert(sum(runs, "mjoinEvictedRows") > 5)
        }
      }
    }

  /** What a query says of its only such CA. */
  private def known(runs: Runs, which: String, column: String): Long = {
    val of = s"query = '${runs.query.id}' AND kind = 'CA' AND $which"
    spark.sql(s"SELECT sum($column) FROM streamon_constraints() WHERE $of").head().getLong(0)
  }

  test("a null key that is joined by <=> waits for its child, though all others have had theirs before") {
    withConf(mode("approximate"): _*) {
      val in = streams
      val side = "(SELECT nullif(id, 0) k, v FROM "
      val sql = s"SELECT /*+ MJOIN */ a.v av, b.v bv FROM ${side}a) a JOIN ${side}b) b ON a.k <=> b.k"
      running(spark.sql(sql)) { runs =>
        for (batch <- 0 until 8) bring(runs) {
          val own = (1L to 10L).map(id => Link(batch * 10 + id, 0, batch))
          in.add("b", own: _*)
          in.add("a", own: _*)
        }
        bring(runs)(in.add("a", Link(0, 0, 99), Link(1000, 0, 98)))
        assert(sum(runs, "mjoinEvictedRows") > 0, "by k = 0")
        bring(runs)(in.add("b", Link(0, 0, 99)))
        assert(runs.rows == in.asTables(stock(sql)) && runs.rows.contains("[99,99]"))
      }
    }
  }

  test("what is known goes on over restarts and lost mirrors") {
    withConf(mode("approximate"): _*) {
      def run(disturb: (Runs, Int) => Unit) = {
        val in = streams
        running(spark.sql(onOneKey)) { runs =>
          val kept = for (batch <- 0 until 14) yield {
            disturb(runs, batch)
            bring(runs)(packets(in, batch))
            last(runs).numRowsTotal
          }
          assert(runs.rows == in.asTables(stock(onOneKey)))
          kept
        }
      }
      val undisturbed = run((_, _) => ())
      assert(undisturbed == run((_, batch) => if (batch % 3 == 1) MirrorRegistry.clear()))
      assert(undisturbed == run { (runs, batch) =>
        if (batch % 4 == 2) {
          runs.restart()
          MirrorRegistry.clear()
        }
      })
    }
  }

  test("strict: a row that breaks what is declared stops the query, which goes on with exact") {
    inCheckpoint { checkpoint =>
      val in = streams
      val hints = "UNIQUE(a, id), UNIQUE(b, id), UNIQUE(c, id), K_CONSTRAINT('RIDS', a, b, 30)"
      val sql = s"SELECT /*+ MJOIN, $hints */ a.v av, b.v bv, c.v cv " +
        "FROM a JOIN b ON a.id = b.id JOIN c ON b.id = c.id"
      val runs = new Runs(spark.sql(sql), checkpoint)
      withConf(mode("strict"): _*) {
        runs.start()
        (0 until 8).foreach(batch => bring(runs)(packets(in, batch)))
        assert(now(runs, "mjoinColdRows") > 0)
        val error = failure(bring(runs) {
          in.add("b", Link(7919, 1, 99))
          in.add("c", Link(7919, 1, 98))
        })
        assert(error.contains("[STREAMON_CONSTRAINT_VIOLATED]"), error)
        assert(error.contains("id = 7919") && error.contains("RIDS a -> b on id"), error)
        runs.stop()
      }
      withConf(mode("exact"): _*) {
        runs.start()
        runs.settle()
        assert(runs.rows == in.asTables(stock(sql)) && runs.rows.contains("[0,99,98]"))
        runs.stop()
      }
    }
  }

  test("approximate: results that are missing are estimated by rows that stay, over restarts as well") {
    withConf(mode("approximate", retention = "0.5"): _*) {
      val in = streams
      running(spark.sql(onOneKey)) { runs =>
        (0 until 10).foreach(batch => bring(runs)(packets(in, batch)))
        val dead = now(runs, "mjoinDeadRows")
        assert(dead > 50)
        MirrorRegistry.clear()
        bring(runs)(packets(in, 10))
        assert(now(runs, "mjoinRebuiltMirrors") == 1 && now(runs, "mjoinDeadRows") > dead)
        val late = (0L until 200).filter(_ % 5 != 0).map(id => Link(id * 7919 % 100003, 1, 99))
        bring(runs) {
          in.add("b", late: _*)
          in.add("c", late: _*)
        }
        val (ours, expected) = (runs.rows.size, in.asTables(stock(onOneKey)).size)
        val found = sum(runs, "mjoinViolations")
        assert(found > 40 && found < 120 && ours - (expected - late.size) == found, s"$found of ${late.size}")
        val query = runs.query.id
        val missed = spark.sql(s"SELECT sum(missed) FROM streamon_evictions() WHERE query = '$query'")
        assert(missed.head().getDouble(0) == found)
      }
    }
  }

  test("approximate after exact: what is cold is found and stays, beside rows that are retained") {
    inCheckpoint { checkpoint =>
      val in = streams
      def run(conf: Seq[(String, String)])(body: Runs => Unit) = withConf(conf: _*) {
        val runs = new Runs(spark.sql(onOneKey), checkpoint)
        runs.start()
        try body(runs)
        finally runs.stop()
        runs.rows
      }
      val rows = run(mode("exact")) { runs =>
        (0 until 8).foreach(batch => bring(runs)(packets(in, batch)))
      } ++ run(mode("approximate", retention = "1")) { runs =>
        (8 until 14).foreach(batch => bring(runs)(packets(in, batch)))
        val late = (0L until 650).filter(_ % 5 != 0).map(id => Link(id * 7919 % 100003, 1, 99))
        for (name <- Seq("b", "c")) bring(runs)(in.add(name, late: _*))
        assert(now(runs, "mjoinDeadRows") > 100 && sum(runs, "mjoinViolations") > 400)
      }
      assert(rows.sorted == in.asTables(stock(onOneKey)))
    }
  }

  test("exact: a star of dimensions that are there before, with rows that are not unique") {
    withConf(mode("exact"): _*) {
      val in = streams
      val star =
        "SELECT /*+ MJOIN */ a.v av, b.v bv, c.v cv FROM a JOIN b ON a.id = b.id JOIN c ON a.to = c.id"
      running(spark.sql(star)) { runs =>
        bring(runs) {
          in.add("b", (0L until 2000).map(Link(_, 0, 1)): _*)
          in.add("c", (0L until 2000).map(Link(_, 0, 2)): _*)
        }
        for (batch <- 0 until 5)
          bring(runs)(in.add("a", (0 until 2000).map(i => Link(i * 7L % 2000, i * 13L % 2000, batch)): _*))
        assert(runs.rows == in.asTables(stock(star)) && runs.rows.size == 10000)
        // Before any id of `a` came again those of the dimensions were let go of; they were brought back.
        assert(now(runs, "mjoinColdRows") > 9000 && now(runs, "mjoinEvictedRows") == 2000)
      }
    }
  }

  test("approximate: rows that are retained go in the end, over lost mirrors as well") {
    val room = "spark.streamon.join.constraints.threshold" -> "100"
    withConf(mode("approximate", retention = "1") :+ room: _*) {
      val in = streams
      running(spark.sql(onOneKey)) { runs =>
        val kept = for (batch <- 0 until 40) yield {
          if (batch % 7 == 3) MirrorRegistry.clear()
          bring(runs)(packets(in, batch))
          last(runs).numRowsTotal
        }
        assert(now(runs, "mjoinDeadRows") > 0)
        // 70 rows come with a micro-batch, and rows are retained for 720.
        assert(kept.drop(24).max <= kept.take(24).max && kept.max < 1000, kept)
        assert(sum(runs, "mjoinEvictedRows") > 1000)
        assert(runs.rows == in.asTables(stock(onOneKey)))
      }
    }
  }

  test("approximate: rows that die old are retained from then on") {
    val sql = onOneKey.replace("UNIQUE(a, id)", "UNIQUE(a, id), K_CONSTRAINT('RIDS', a, b, 100)")
    val room = "spark.streamon.join.constraints.threshold" -> "20"
    withConf(mode("approximate", retention = "1") :+ room: _*) {
      val in = streams
      running(spark.sql(sql)) { runs =>
        (0 until 20).foreach(batch => bring(runs)(packets(in, batch)))
        // Of `a` those of some micro-batches wait no longer for one of `b`.
        assert(now(runs, "mjoinDeadRows") > 700)
      }
    }
  }

  test("strict with fewer declarations: rows that come back are looked at again") {
    inCheckpoint { checkpoint =>
      val in = streams
      def sql(more: String) = onOneKey.replace("UNIQUE(c", s"K_CONSTRAINT('RIDS', a, b, 30), $more UNIQUE(c")
      def run(name: String, more: String, batches: Range) = withConf(mode(name): _*) {
        val runs = new Runs(spark.sql(sql(more)), checkpoint)
        runs.start()
        try {
          for (batch <- batches) bring(runs)(packets(in, batch))
          assert(now(runs, "mjoinColdRows") > 300, name)
          runs.rows
        } finally runs.stop()
      }
      val rows =
        run("exact", "K_CONSTRAINT('RIDS', a, c, 40), ", 0 until 14) ++ run("strict", "", 14 until 16)
      assert(rows.sorted == in.asTables(stock(onOneKey)))
    }
  }

}
