package org.streamon.core.caching

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.caching.CacheCases.{candidate, costs}
import org.streamon.core.caching.CacheState.{Profiled, Unused, Used}

/** The states of candidates (thesis, Section 5.5.2) and the rules that move them. */
class CacheReoptimizerSpec extends AnyFunSuite {
  private val whole = candidate(0, 0, 1, 2, 3)
  private val inner = candidate(0, 1, 2, 3)
  private val other = candidate(4, 1, 2, 3)
  private val all = Seq(whole, inner, other)
  private val pays = costs(benefit = 10, cost = 2)
  private val loses = costs(benefit = 1, cost = 2)

  /** After a first selection, by these costs. */
  private def selected(costs: Map[Candidate, CacheCosts]): CacheReoptimizer = {
    val reoptimizer = new CacheReoptimizer(0.2)
    reoptimizer.reordered(all)
    assert(reoptimizer.select(costs, (_, _) => 1.0))
    reoptimizer
  }

  private def states(reoptimizer: CacheReoptimizer) = all.map(reoptimizer.state)

  private val good = Map(whole -> pays, inner -> loses, other -> pays)

  test("all candidates begin Profiled, and a selection makes them Used or Unused") {
    val fresh = new CacheReoptimizer(0.2)
    fresh.reordered(all)
    assert(states(fresh) == Seq(Profiled, Profiled, Profiled) && fresh.watched == all && fresh.used.isEmpty)
    val reoptimizer = selected(good)
    assert(states(reoptimizer) == Seq(Used, Unused, Used))
    assert(reoptimizer.lookedUp == Seq(whole, other) && reoptimizer.watched.isEmpty)
    assert(all.map(reoptimizer.estimate) == all.map(c => Some(good(c))))
  }

  test("rule a: a used cache that does not pay is unused at once") {
    val reoptimizer = selected(good)
    assert(reoptimizer.dropLosing(c => Some(if (c == whole) loses else pays)) == Seq(whole))
    assert(states(reoptimizer) == Seq(Unused, Unused, Used))
    assert(reoptimizer.dropLosing(_ => None).isEmpty, "not before enough is known")
  }

  test("rule a: caches of one content are judged together") {
    val pair = Seq(candidate(0, 0, 2, 3), candidate(4, 1, 2, 3))
    val reoptimizer = new CacheReoptimizer(0.2)
    reoptimizer.reordered(pair)
    reoptimizer.select(_ => costs(benefit = 6, cost = 10), (_, _) => 10.0)
    assert(reoptimizer.used == pair)
    assert(reoptimizer.dropLosing(_ => Some(costs(benefit = 6, cost = 10))).isEmpty)
    def oneHarms(c: Candidate) = Some(costs(benefit = if (c == pair.head) -1 else 12, cost = 10))
    assert(reoptimizer.dropLosing(oneHarms) == pair.take(1))
    assert(reoptimizer.dropLosing(c => Option.when(c == pair.last)(loses)) == pair.drop(1))
  }

  test("rule b: unused ones are profiled, and used ones only where an unused one is within their segment") {
    val reoptimizer = selected(good)
    reoptimizer.profile()
    assert(states(reoptimizer) == Seq(Used, Profiled, Used))
    // The outer one is put aside, so that the inner one sees probes; it is maintained all the same.
    assert(reoptimizer.lookedUp == Seq(other) && reoptimizer.used == Seq(whole, other))
    assert(reoptimizer.watched.toSet == Set(whole, inner))
  }

  test("rule b: a cache that leaves next to nothing to save is not put aside") {
    for (
      (cost, rest, leaves) <- Seq(
        (2.0, 11.0, true),
        (2.0, 10.0, false),
        (11.0, 2.0, true),
        (10.0, 2.0, false)
      )
    ) {
      val reoptimizer = selected(good + (whole -> CacheCosts(benefit = 100, cost, rest)))
      reoptimizer.profile()
      assert(reoptimizer.lookedUp.contains(whole) == !leaves && reoptimizer.used.contains(whole))
    }
    // What is left is what was measured last, whether or not there was a selection.
    val reoptimizer = selected(good + (whole -> CacheCosts(benefit = 100, cost = 2, rest = 0)))
    for (rest <- Seq(15.0, 0.0)) {
      reoptimizer.profile()
      assert(!reoptimizer.select(good + (whole -> CacheCosts(100, 2, rest)), (_, _) => 1.0))
      reoptimizer.profile()
      assert(reoptimizer.lookedUp.contains(whole) == (rest == 0.0))
      assert(!reoptimizer.select(good + (whole -> CacheCosts(100, 2, rest)), (_, _) => 1.0))
    }
  }

  test("rule c: without a change by more than a fifth all stays as it was") {
    val reoptimizer = selected(good)
    reoptimizer.profile()
    // By now the inner one would be the better choice, but for the threshold.
    val near = Map(whole -> costs(8.5, 2), inner -> costs(1.1, 2), other -> pays)
    assert(!reoptimizer.select(near, (_, _) => 1.0))
    assert(states(reoptimizer) == Seq(Used, Unused, Used))
    assert(reoptimizer.lookedUp == Seq(whole, other), "what was put aside is looked up again")
    assert(reoptimizer.estimate(whole).contains(pays), "changes are counted from the last selection")
  }

  test("rule c: with one there is a new selection") {
    val reoptimizer = selected(good)
    reoptimizer.profile()
    assert(reoptimizer.select(good + (inner -> costs(20, 2)), (_, _) => 1.0))
    assert(states(reoptimizer) == Seq(Unused, Used, Used))
  }

  test("under new orders candidates that remain keep their state, and new ones are profiled") {
    val reoptimizer = selected(good)
    val added = candidate(5, 0, 1, 2)
    reoptimizer.reordered(Seq(inner, other, added))
    assert(reoptimizer.candidates == Seq(inner, other, added))
    assert(reoptimizer.candidates.map(reoptimizer.state) == Seq(Unused, Used, Profiled))
    // A new one calls for a selection, whether or not anything else has changed.
    assert(reoptimizer.select(good + (added -> loses), (_, _) => 1.0))
  }

  test("forced caches are used as far as they do not exclude one another, and nothing else is") {
    val reoptimizer = selected(good)
    reoptimizer.force(Seq(inner, whole, other))
    assert(reoptimizer.candidates == Seq(inner, other) && reoptimizer.used == Seq(inner, other))
  }
}
