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

  /** By trial, results of some hundred keys, with so many of each. */
  private def trials(keysOf: SplittableRandom => Seq[Long], resultsOfKey: SplittableRandom => Int) = {
    val random = new SplittableRandom(11)
    Seq.fill(400)(judged(Seq.fill(300)(keysOf(random)).flatMap(k => Seq.fill(resultsOfKey(random))(k))))
  }

  for (
    (name, keys, results) <- Seq[(String, SplittableRandom => Seq[Long], SplittableRandom => Int)](
      ("one result of each key", r => Seq(r.nextLong()), _ => 1),
      ("results of a key that come together", r => Seq(r.nextLong()), _ => 7),
      ("keys with few results and with many", r => Seq(r.nextLong()), r => 1 << r.nextInt(6)),
      ("dead rows of two keys", r => Seq(r.nextLong(), r.nextLong()), _ => 1)
    )
  ) test(s"no bias, and a bound that holds 19 times in 20: $name") {
    val all = trials(keys, results)
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
    assert(MissedResults.None.estimate == 0 && MissedResults.None.atMost(0.01) >= 299)
    assert(MissedResults.None.atMost(1.0) == 0)
  }
}
