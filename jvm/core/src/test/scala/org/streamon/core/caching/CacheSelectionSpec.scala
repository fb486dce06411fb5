package org.streamon.core.caching

import java.util.SplittableRandom
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks
import org.streamon.core.caching.CacheCases._
import org.streamon.core.caching.CacheSelection.Choice

class CacheSelectionSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  implicit override val generatorDrivenConfig: PropertyCheckConfiguration =
    PropertyCheckConfiguration(minSuccessful = 3000)

  private val seeds = Gen.choose(0L, 1L << 40)

  private def compatible(chosen: Seq[Choice]) =
    chosen.combinations(2).forall(p => !p.head.candidate.excludes(p.last.candidate))

  /** The best over all subsets, with each content paid for once; written down without the selection's code.
    */
  private def bruteForce(choices: Seq[Choice]): Double =
    (0 until 1 << choices.size)
      .map(bits => choices.indices.filter(k => (bits >> k & 1) == 1).map(choices))
      .filter(compatible)
      .map(set =>
        set.map(_.costs.benefit).sum - set.groupBy(_.candidate.content).map(_._2.head.costs.cost).sum
      )
      .max

  /** Segments of one pipeline that are nested or apart. */
  private def family(random: SplittableRandom): Seq[Choice] = {
    def below(from: Int, to: Int): Seq[(Int, Int)] =
      if (to - from < 1) Nil
      else {
        val cut = from + random.nextInt(to - from)
        val inside = below(from, cut) ++ below(cut + 1, to)
        if (random.nextInt(3) > 0) (from, to) +: inside else inside
      }
    below(0, 8).map { case (from, to) =>
      val costs = CacheCases.costs(20 * random.nextDouble() - 4, 10 * random.nextDouble())
      Choice(candidate(0, from, from + 1 to to + 1: _*), costs)
    }
  }

  test("without sharing the linear selection is as good as any subset") {
    forAll(seeds) { seed =>
      val choices = family(new SplittableRandom(seed))
      val chosen = CacheSelection.linear(choices)
      assert(compatible(chosen))
      assert(math.abs(CacheSelection.net(chosen) - bruteForce(choices)) < 1e-9, s"$choices")
      assert(CacheSelection.select(choices, (_, _) => 0.0) == chosen)
    }
  }

  test("with sharing the exhaustive one is") {
    implicit val generatorDrivenConfig: PropertyCheckConfiguration =
      PropertyCheckConfiguration(minSuccessful = 300)
    forAll(seeds, Gen.choose(3, 5)) { (seed, n) =>
      val choices = shared(n, new SplittableRandom(seed)).choices
      whenever(choices.size <= CacheSelection.MostExhaustive) {
        val chosen = CacheSelection.exhaustive(choices)
        assert(compatible(chosen))
        assert(math.abs(CacheSelection.net(chosen) - bruteForce(choices)) < 1e-9, s"$choices")
      }
    }
  }

  test("the greedy one comes near it: on the mean 1.04 of its cost, at worst 1.22, as the digest found") {
    val ratios = for (seed <- 1L to 400L; n = 4 + (seed % 3).toInt) yield {
      val instance = shared(n, new SplittableRandom(seed))
      val greedy = CacheSelection.greedy(instance.choices, instance.operators)
      assert(compatible(greedy), s"seed $seed")
      instance.total(greedy, n) / instance.total(CacheSelection.exhaustive(instance.choices), n)
    }
    val (mean, worst) = (ratios.sum / ratios.size, ratios.max)
    info(f"mean $mean%.3f, worst $worst%.3f, exact in ${ratios.count(_ < 1 + 1e-9)} of ${ratios.size}")
    assert(ratios.min > 1 - 1e-9 && mean <= 1.06 && worst <= 1.4)
  }

  test("caches of one content pay for it once") {
    // By itself neither pays; together they do.
    val choices = Seq(2, 3).map(i => Choice(candidate(i, 0, 0, 1), costs(benefit = 6, cost = 10)))
    assert(choices.map(_.candidate.content).distinct.size == 1)
    assert(CacheSelection.net(choices) == 2)
    assert(CacheSelection.select(choices, (_, _) => 5.0).toSet == choices.toSet)
    assert(CacheSelection.select(choices.take(1), (_, _) => 5.0).isEmpty)
    assert(CacheSelection.greedy(choices, (_, _) => 5.0).toSet == choices.toSet)
  }
}
