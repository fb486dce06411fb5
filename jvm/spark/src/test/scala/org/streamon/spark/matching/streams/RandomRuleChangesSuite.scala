package org.streamon.spark.matching.streams

import scala.util.Random

import org.apache.spark.sql.streaming.{StreamingQuery, StreamingQueryException}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.{InFolder, Replay, SparkSuite}
import org.streamon.tags.Prove

/** Rules are written, added and removed at random between micro-batches, and queries fail and start again.
  * Every micro-batch finds what a model finds. `-Dstreamon.seed=N` replays the trial of seed N and goes on
  * from there.
  */
class RandomRuleChangesSuite extends AnyFunSuite with SparkSuite with InFolder {
  private var steps, failures, matches = 0

  test("every micro-batch has the rules of its moment") {
    run(Replay.seed.getOrElse(1L), 4)
    assert(matches > 5 * steps && failures > 0)
  }

  test("many more changes", Prove) {
    run(Replay.seed.getOrElse(System.nanoTime()), 60)
  }

  private def run(first: Long, trials: Int): Unit = {
    info(s"seeds from $first")
    for (seed <- first until first + trials) inFolder { folder =>
      withClue(s"-Dstreamon.seed=$seed replays it: ")(new Trial(seed, new Alerts(spark, folder)).run())
    }
    info(s"$steps micro-batches, $failures failures, $matches matches")
  }

  private final class Trial(seed: Long, alerts: Alerts) {
    private val random = new Random(seed)

    // The model: what the table has, what it had when the query read it, and what has been added and removed.
    private var table, read, added = Map.empty[String, Bound]
    private var removed = Set.empty[String]

    /** A condition that a model can evaluate. */
    private case class Bound(from: Int, to: Int, divisor: Int) {
      def sql: String = s"x BETWEEN $from AND $to AND x % $divisor = 0"
      def holds(x: Int): Boolean = x >= from && x <= to && x % divisor == 0
    }

    private def bound() = {
      val from = random.nextInt(40)
      Bound(from, from + random.nextInt(30), 1 + random.nextInt(3))
    }
    private def name() = s"r${random.nextInt(12)}"

    def run(): Unit = {
      writeTable()
      for (_ <- 1 to 3) started(query => for (_ <- 1 to 4) if (query.isActive) step(query))
    }

    private def started(body: StreamingQuery => Unit): Unit = {
      read = table
      alerts.running()(body)
    }

    private def step(query: StreamingQuery): Unit = {
      if (random.nextInt(3) == 0) writeTable()
      for (_ <- 1 to random.nextInt(3)) change(query)
      val numbers = Seq.fill(8)(random.nextInt(70))
      read = table
      val expected = expectedOf(numbers)
      steps += 1
      matches += expected.size
      if (random.nextInt(5) == 0) {
        failures += 1
        fail(query, numbers)
        // Before it is run again.
        writeTable()
        started { again =>
          again.processAllAvailable()
          assert(alerts.found(alerts.found.keys.max) == expected)
        }
      } else assert(alerts.push(query, numbers: _*) == expected)
    }

    private def fail(query: StreamingQuery, numbers: Seq[Int]): Unit = {
      alerts.fails = true
      intercept[StreamingQueryException](alerts.push(query, numbers: _*))
      alerts.fails = false
    }

    private def writeTable(): Unit = {
      table = Seq.fill(1 + random.nextInt(10))(name() -> bound()).toMap
      alerts.write(table.toSeq.map { case (rule, b) => rule -> b.sql }: _*)
    }

    private def change(query: StreamingQuery): Unit = {
      val rule = name()
      if (random.nextBoolean()) {
        val b = bound()
        call(s"streamon_add_rule('${query.id}', '$rule', '${b.sql}')")
        if (!wanted.get(rule).contains(b)) {
          added += rule -> b
          removed -= rule
        }
      } else {
        call(s"streamon_remove_rule('${query.id}', '$rule')")
        if (wanted.contains(rule)) {
          added -= rule
          if (read.contains(rule)) removed += rule
        }
      }
    }

    private def wanted = read.removedAll(removed) ++ added

    private def call(function: String): Unit = spark.sql(s"SELECT * FROM $function").collect()

    private def expectedOf(numbers: Seq[Int]): Seq[(Int, String)] = {
      val pairs = for (x <- numbers; (rule, b) <- wanted.toSeq if b.holds(x)) yield x -> rule
      pairs.sorted
    }
  }
}
