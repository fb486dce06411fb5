package org.streamon.core.joins

import org.streamon.lab.baselines.{InMemorySynopses, MJoin}
import java.util.SplittableRandom
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.filters.{FilterSet, ProfileTuple}
import JoinCases._

class PipelineOrdersSpec extends AnyFunSuite {

  /** Feeds input 0 of a join on one key, whose windows 1 to n - 1 hold keys by `present`; keys are uniform in
    * 0 to 99. Look-ups of rows in turn.
    */
  private final class Feed(algorithm: String, pipeline: Option[Array[Int]], n: Int, seed: Long) {
    private val graph = new JoinGraph(n, oneKey(n))
    private val random = new SplittableRandom(seed)
    val orders = new PipelineOrders(graph, algorithm, pipeline.map(0 -> _).toMap, window = 200)
    private val mjoin = new MJoin(orders, new InMemorySynopses(graph), random, 0.1, () => 0L)
    private var windows = Map.empty[Int, Seq[Row]]

    def fill(present: Int => Int => Boolean): Unit = {
      for (j <- 1 until n) {
        windows.getOrElse(j, Nil).foreach(mjoin.delete(j, _)(_ => ()))
        windows += j -> (0 until 100).filter(present(j)).map(Vector(_))
        windows(j).foreach(mjoin.insert(j, _)(_ => ()))
      }
    }

    def probes(rows: Int): Long = {
      def total = mjoin.executor(0).probes.sum
      val before = total
      for (_ <- 1 to rows) mjoin.insert(0, Vector(random.nextInt(100)))(_ => ())
      total - before
    }
  }

  /** Window j holds a share of the keys, and these are not independent: 1 and 2 hold the same. */
  private def before(j: Int)(key: Int): Boolean = j match {
    case 1 => key < 40
    case 2 => key < 41
    case 3 => key % 2 == 0
    case _ => key % 10 < 9
  }

  private def after(j: Int)(key: Int): Boolean = j match {
    case 1 => key < 90
    case 2 => key < 91
    case 3 => key % 2 == 0
    case _ => key < 10
  }

  test("A-Greedy moves to the best pipeline, and again when the windows change") {
    val rows = 20000
    val pipelines = (1 to 4).permutations.map(_.toArray).toSeq
    def costs(present: Int => Int => Boolean) = pipelines.map { p =>
      val fixed = new Feed("static", Some(p), 5, seed = 11)
      fixed.fill(present)
      fixed.probes(rows)
    }
    val adaptive = new Feed("a-greedy", Some(Array(4, 2, 1, 3)), 5, seed = 11)
    for (present <- Seq(before _, after _)) {
      adaptive.fill(present)
      adaptive.probes(5000)
      val cost = adaptive.probes(rows)
      val all = costs(present)
      val (best, worst) = (all.min, all.max)
      assert(cost <= 1.02 * best, s"best $best, worst $worst, A-Greedy ${adaptive.orders(0).pipeline.toSeq}")
      assert(worst > 1.3 * best)
    }
    assert(adaptive.orders(0).pipeline.take(2).toSeq == Seq(4, 3))
  }

  test("every algorithm by name, from the pipelines it is given") {
    val graph = new JoinGraph(3, oneKey(3))
    for (name <- org.streamon.core.filters.OrderingAlgorithms.names) {
      val orders = new PipelineOrders(graph, name, Map(1 -> Array(2, 0)))
      assert(orders(0).profiles == (name != "static"))
      assert(orders(0).pipeline.toSeq == Seq(1, 2) && orders(1).pipeline.toSeq == Seq(2, 0))
    }
    assert(!new PipelineOrders(new JoinGraph(2, oneKey(2)))(0).profiles)
  }

  test("what was profiled under an order that has been replaced is void") {
    val order = new PipelineOrders(new JoinGraph(3, oneKey(3)), window = 1)(0)
    val tuple = new ProfileTuple(2)
    tuple.dropPosition = 1
    tuple.evaluated.set(FilterSet.of(2, 0, 1))
    tuple.dropped.add(1)
    val seen = order.current
    assert(order.nextPosition(seen, 0, 0, FilterSet.of(2, 0)) == 1)
    val moved = order.offer(tuple, seen).get
    assert(moved.oldPlan == Seq(0, 1) && moved.newPlan == Seq(1, 0) && order.pipeline.toSeq == Seq(2, 1))
    assert(moved.statistics.dropRate(1) == 1.0 && moved.statistics.nanos(1) == 1.0)
    assert(order.nextPosition(seen, 0, 0, FilterSet.of(2, 0)) == 2)
    tuple.dropped.set(FilterSet.of(2, 0))
    assert(order.offer(tuple, seen).isEmpty && order.pipeline.toSeq == Seq(2, 1))
  }

  test("what is not allowed is refused by name") {
    def refusal(body: => Any): String = intercept[IllegalArgumentException](body).getMessage
    val chained = new JoinGraph(3, distinctClasses(chain(3)))
    assert(refusal(new PipelineOrders(chained, "greedy")).contains("'greedy': allowed are a-greedy"))
    assert(
      refusal(new PipelineOrders(chained, initial = Map(0 -> Array(2, 1)))).contains("window 2 must come")
    )
    assert(refusal(new PipelineOrders(chained, initial = Map(3 -> Array(2, 1)))).contains("0 to 2"))
    assert(refusal(new PipelineOrders(chained, window = 0)).contains("window = 0"))
    assert(refusal(new PipelineOrders(new JoinGraph(3, oneKey(2)))).contains("not connected"))
  }
}
