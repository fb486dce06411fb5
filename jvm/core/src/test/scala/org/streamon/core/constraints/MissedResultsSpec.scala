package org.streamon.core.constraints

import java.util.SplittableRandom

import org.scalatest.funsuite.AnyFunSuite

/** What a retained share tells of the results that are missing, against what is missing. */
class MissedResultsSpec extends AnyFunSuite {
  private val share = 0.1

  private def isRetained(key: Long) = MonitorSettings.sampled(key, share)

  /** Feeds results, each with the keys of its dead rows; what is missing, and what is said of it. */
  private def judged(results: Seq[Seq[Long]]): (Int, MissedSample) = {
    val missed = new MissedResults(share)
    val (found, missing) = results.partition(_.forall(isRetained))
    found.foreach(missed.found)
    (missing.size, missed.take())
  }

  private val one: SplittableRandom => Int = _ => 1

  /** @param keys
    *   those of a result; of a trial, by its number
    * @param same
    *   how many results have these
    */
  private case class Case(
      name: String,
      keys: (SplittableRandom, Int) => Seq[Long],
      same: SplittableRandom => Int = one,
      count: Int = 300
  )

  for (
    c <- Seq(
      Case("one result of each key", (r, _) => Seq(r.nextLong())),
      Case("results of a key that come together", (r, _) => Seq(r.nextLong()), _ => 7),
      Case("keys with few results and with many", (r, _) => Seq(r.nextLong()), r => 1 << r.nextInt(6)),
      Case("dead rows of two keys", (r, _) => Seq(r.nextLong(), r.nextLong())),
      // The shared key is the greater.
      Case(
        "of two keys, one of which others share",
        (r, t) => Seq(-r.nextInt(), 60L * t + r.nextInt(60)),
        count = 3000
      )
    )
  ) test(s"no bias, and a bound that holds 19 times in 20: ${c.name}") {
    val random = new SplittableRandom(11)
    val all =
      for (trial <- 1 to 400)
        yield judged(Seq.fill(c.count)(c.keys(random, trial)).flatMap(k => Seq.fill(c.same(random))(k)))
    val (missing, said) = (all.map(_._1.toDouble).sum, all.map(_._2.estimate).sum)
    assert(math.abs(said / missing - 1) < 0.1, s"$said of $missing")
    val held = all.count { case (missing, sample) => missing <= sample.atMost(share) }
    assert(held >= 0.93 * all.size, s"$held of ${all.size}")
    // The bound is not one because it is far away.
    assert(all.map(_._2.atMost(share)).sum < 6 * missing)
  }

  test("taken piece by piece it is the same, also where a key goes on") {
    val keys = Iterator.iterate(1L)(_ + 1).filter(isRetained).take(5).toSeq
    val results = Seq.tabulate(40)(i => Seq(keys(i * i % 5)))
    val (whole, pieces) = (new MissedResults(share), new MissedResults(share))
    results.foreach(whole.found)
    val sum = results
      .grouped(7)
      .map { some =>
        some.foreach(pieces.found)
        pieces.take()
      }
      .reduce(_ + _)
    val all = whole.take()
    assert(math.abs(sum.variance / all.variance - 1) < 1e-9 && sum.greatest == all.greatest)
    assert(math.abs(sum.estimate / all.estimate - 1) < 1e-9)
  }

  test("nothing found: some keys may still have missing results") {
    assert(MissedSample.None.estimate == 0 && MissedSample.None.atMost(0.01) >= 299)
    assert(MissedSample.None.atMost(1.0) == 0)
  }
}
