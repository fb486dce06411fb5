package org.streamon.core.caching

import java.util.SplittableRandom
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import org.streamon.core.joins._

/** Caches under the prefix invariant, for any legal orders of any join. */
class CandidatesSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 2000)

  private val joins = for {
    n <- Gen.choose(3, 7)
    equalities <- JoinCases.graphs(n)
    seed <- Gen.choose(0L, 1L << 40)
  } yield (n, equalities, seed)

  /** Orders at random seldom leave a place for a cache, so half of them follow a tree. */
  private def orders(graph: JoinGraph, seed: Long): IndexedSeq[Array[Int]] = {
    val random = new SplittableRandom(seed)
    if (graph.oneKeyClass && seed % 2 == 0) CacheCases.treeOrders(graph.n, random)
    else
      (0 until graph.n).map { i =>
        val shuffled = (0 until graph.n - 1).sortBy(_ => random.nextInt()).toArray
        new LogicalFilters(graph, i).pipeline(shuffled)
      }
  }

  private var pairs = 0

  test("two in one pipeline are nested or apart, and none is maintained within another's segment") {
    forAll(joins) { case (n, equalities, seed) =>
      val graph = new JoinGraph(n, equalities)
      val pipelines = orders(graph, seed)
      val all = new Candidates(graph, pipelines).prefix
      for (a <- all; b <- all if a != b) {
        val shown = s"$a, $b under ${pipelines.map(_.toSeq)}"
        if (a.overlaps(b)) {
          pairs += 1
          assert(a.contains(b) || b.contains(a), shown)
        }
        val within = b.maintainers.contains(a.pipeline) && a.from < b.maintainedAt && b.maintainedAt <= a.to
        assert(!within, shown)
      }
    }
    assert(pairs > 500, "nested caches were met")
  }

  test("each is maintained where the pipelines of its windows have joined just these") {
    forAll(joins) { case (n, equalities, seed) =>
      val graph = new JoinGraph(n, equalities)
      val pipelines = orders(graph, seed)
      for (c <- new Candidates(graph, pipelines).prefix) {
        assert(c.maintainers.toSet == c.windows.toSet)
        for (l <- c.maintainers)
          assert(pipelines(l).take(c.maintainedAt).toSet + l == c.windows.toSet, s"$c")
        assert(pipelines(c.pipeline).slice(c.from, c.to + 1).toSeq == c.windows)
      }
    }
  }

  test("globally-consistent ones fill up to the number asked for, those of most windows first") {
    forAll(joins) { case (n, equalities, seed) =>
      val graph = new JoinGraph(n, equalities)
      val places = new Candidates(graph, orders(graph, seed))
      val (all, prefix) = (places.global(Int.MaxValue), places.prefix)
      assert(all.take(prefix.size) == prefix && prefix.forall(!_.isGlobal))
      val others = all.drop(prefix.size)
      assert(
        others.forall(_.isGlobal) && others.map(_.windows.size) == others.map(_.windows.size).sorted.reverse
      )
      assert(places.global(6) == all.take(math.max(6, prefix.size)))
    }
  }
}
