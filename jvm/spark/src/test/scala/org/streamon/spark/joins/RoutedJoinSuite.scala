package org.streamon.spark.joins

import org.apache.spark.sql.Row
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite

/** A row of a stream; of which kind it is, only rows of `r` tell. */
final case class KindRow(k: Int, kind: String, x: String)

/** The pipelines of an MJoin whose arriving rows are of several kinds. */
class RoutedJoinSuite extends AnyFunSuite with SparkSuite with StreamingJoins {
  private lazy val session = spark
  import session.implicits._

  private val keys = 20
  private val batch = 2000
  private val unlearned = "spark.streamon.learning.enabled" -> "false"

  /** Of red rows one in twenty has a match in `s`, of blue rows as few in `t`. */
  private def sql(options: String*): String = {
    def passes(other: String, kind: String) =
      s"sha2(concat(r.x, $other.x), 256) < if(r.kind = '$kind', '0d', 'f0')"
    s"SELECT /*+ MJOIN(r, s, t${options.map(o => s", '$o'").mkString}) */ r.kind, r.x rx, s.x sx, t.x tx " +
      s"FROM r JOIN s ON r.k = s.k AND ${passes("s", "red")} JOIN t ON r.k = t.k AND ${passes("t", "blue")}"
  }

  private def meshed(more: String*): String =
    sql("algorithm=query-mesh" +: "profilingProbability=1" +: more: _*)

  private def streams = new Streams[KindRow](session, Seq("r", "s", "t"))((name, raw) =>
    if (name == "r") raw else raw.drop("kind")
  )

  /** A running query, and the rows that it gets. */
  private final class Kinds(val runs: Runs, in: Streams[KindRow]) {
    private var sent = 0

    /** Brings the rows that others meet. */
    def begin(): Unit = {
      for (name <- Seq("s", "t")) in.add(name, (0 until keys).map(k => KindRow(k, name, s"$name$k")): _*)
      runs.settle()
    }

    /** A micro-batch of rows of these kinds; how many look-ups a row has taken. */
    def next(kinds: String*): Double = {
      in.add(
        "r",
        (sent until sent + batch).map(i => KindRow(i % keys, kinds(i / keys % kinds.size), s"r$i")): _*
      )
      sent += batch
      runs.settle()
      val metrics = runs.progress.last.customMetrics
      (metrics.get("mjoinProbes1") + metrics.get("mjoinProbes2")).toDouble / batch
    }

    def until(count: Int, kinds: String*): Unit =
      assert(
        (1 to 60).exists { _ => next(kinds: _*); routes(0).size == count },
        routes(0).mkString("\n")
      )

    def routes(input: Int): Seq[Row] = spark
      .sql(s"SELECT * FROM streamon_routes('${runs.query.id}') WHERE operator LIKE '%rows of input $input'")
      .collect()
      .toSeq
  }

  /** Runs a query, whose rows are those of Spark's batch join. */
  private def withKinds(query: => String)(body: Kinds => Unit): Unit =
    withConf("spark.sql.shuffle.partitions" -> "2") {
      val in = streams
      running(spark.sql(query)) { runs =>
        val kinds = new Kinds(runs, in)
        kinds.begin()
        body(kinds)
        assert(runs.rows == in.asTables(stock(query)) && runs.rows.nonEmpty)
      }
    }

  test(
    "each kind gets a route, with which later micro-batches and queries begin, until rows are of one kind"
  ) {
    withKinds(meshed()) { of =>
      of.until(2, "red", "blue")
      assert(of.next("red", "blue") < 1.25, "in one order a row takes 1.5")
      for (route <- of.routes(0)) {
        val words = route.getAs[String]("rows")
        val isRed = words.contains("'red'") != words.contains("NOT IN")
        val first = route.getAs[Seq[String]]("conjuncts").head
        assert(first.startsWith(if (isRed) "input 1 " else "input 2 "), route)
        assert(route.getAs[Double]("modelled_saving") > 0.1, route)
      }
      val changes = spark.sql(
        s"SELECT * FROM streamon_decisions('${of.runs.query.id}') WHERE size(new_routes) = 2"
      )
      assert(changes.head().getAs[String]("operator").endsWith("rows of input 0"))
    }
    withKinds(meshed()) { of =>
      assert(of.next("red", "blue") < 1.25, "what the session has learned")
      assert(of.routes(0).size == 2)
      of.until(1, "red")
      assert(of.routes(0).map(_.getAs[String]("rows")) == Seq("all rows"))
    }
  }

  test("the columns that tell rows apart are shown") {
    withConf(rocksdb) {
      streams
      val text = explained(spark.sql(meshed()))
      assert(text.startsWith("MJoin, query-mesh,"), text)
      assert(text.contains("columns that tell rows of input 0 apart: k, kind, x"), text)
      assert(text.contains("columns that tell rows of input 1 apart: k, x"), text)
    }
  }

  test("other settings take over the routes, and what has no routes takes over an order") {
    withConf(unlearned) {
      var query = meshed()
      withKinds(query) { of =>
        of.until(2, "red", "blue")
        query = sql("algorithm=query-mesh", "profilingProbability=0")
        of.runs.restart()
        assert(of.next("red", "blue") < 1.25)
        query = sql("algorithm=a-greedy", "profilingProbability=0")
        of.runs.restart()
        assert(of.next("red", "blue") > 1.4)
        assert(of.runs.operators.forall(!_.isRouted) && of.routes(0).isEmpty)
      }
    }
  }

  test("forced routes are for the inputs that have their columns") {
    val wrong = "CASE WHEN kind = 'red' THEN '1,0' ELSE '0,1' END"
    withConf(unlearned, "spark.streamon.join.routes.forced" -> wrong) {
      withKinds(meshed()) { of =>
        assert(of.next("red", "blue") > 1.8)
        assert(of.routes(0).map(_.getAs[Long]("input_rows")).sorted == Seq(batch / 2, batch / 2))
        assert(of.routes(1).map(_.getAs[String]("rows")) == Seq("all rows"))
        val plan = of.runs.operators.head.verboseStringWithOperatorId()
        assert(plan.contains("Route of input 0, kind IN ('red') [2]: [input 2, input 1]"), plan)
      }
    }
    withConf("spark.streamon.join.routes.forced" -> wrong.replace("kind", "sort")) {
      val error = failure(withKinds(meshed())(_.next("red")))
      assert(error.contains("STREAMON_ROUTES_UNKNOWN_COLUMN") && error.contains("Allowed: k, kind, x"), error)
    }
  }

  test("where there may be caches, a pipeline has one order") {
    withConf(unlearned, "spark.streamon.join.caching.forced" -> "0+1") {
      withKinds(meshed("caching=prefix")) { of =>
        of.next("red", "blue")
        assert(of.routes(0).isEmpty)
        assert(of.runs.operators.map(_.toString).forall(_.contains("[a-greedy, caching prefix]")))
        val text = withConf(rocksdb)(explained(spark.sql(meshed("caching=prefix"))))
        assert(text.contains("without routes: a cache belongs to one order"), text)
      }
    }
  }
}
