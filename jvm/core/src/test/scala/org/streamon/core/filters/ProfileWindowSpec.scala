package org.streamon.core.filters

import scala.collection.immutable.BitSet

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class ProfileWindowSpec extends AnyFunSuite with ScalaCheckPropertyChecks {

  private def tuple(n: Int, evaluated: BitSet, dropped: BitSet, nanos: Long*): ProfileTuple = {
    val t = new ProfileTuple(n)
    evaluated.foreach(t.evaluated.add)
    dropped.foreach(t.dropped.add)
    nanos.zipWithIndex.foreach { case (time, q) => t.nanos(q) = time }
    t
  }

  test("drops and mean times are those of the latest tuples") {
    val cases = for {
      n <- DropSets.sizes(Gen.const(3), oneOf = 2)
      capacity <- Gen.choose(1, 40)
      samples <- Gen.listOf(Gen.zip(DropSets.some(n), DropSets.some(n), Gen.choose(50L, 99L)))
    } yield (n, capacity, samples)
    forAll(cases) { case (n, capacity, tuples) =>
      val window = new ProfileWindow(n, capacity)
      tuples.foreach { case (evaluated, dropped, time) =>
        window.push(tuple(n, evaluated, dropped & evaluated, (0 until n).map(time + _): _*))
      }
      val latest = tuples.takeRight(capacity)
      val dropped = latest.map(t => (t._1 & t._2).toSeq)
      assert(window.size == latest.size)
      assert(window.contents.map(_.members: Seq[Int]).groupBy(identity) == dropped.groupBy(identity))
      if (window.isFull) assert(window.oldest.members == dropped.head)
      for (q <- 0 until n) {
        val timed = latest.filter(_._1(q)).map(_._3 + q)
        if (timed.nonEmpty) assert(math.abs(window.meanNanos(q) - timed.sum.toDouble / timed.size) < 1e-9)
      }
    }
  }

  test("a mean is NaN before the first sample, stays when the window has none left, and is at least 1 ns") {
    val window = new ProfileWindow(2, 2)
    assert(window.meanNanos(0).isNaN)
    window.push(tuple(2, BitSet(0), BitSet(0), 70L))
    assert(window.meanNanos(0) == 70.0 && window.meanNanos(1).isNaN)
    window.push(tuple(2, BitSet(1), BitSet(1), 0L, 0L))
    window.push(tuple(2, BitSet(1), BitSet(1), 0L, -5L))
    assert(window.meanNanos(0) == 70.0 && window.meanNanos(1) == 1.0)
  }

  test("a pause, and code that was slow until it was compiled, count as 8 times the median") {
    val window = new ProfileWindow(1, 1000)
    (1 to 32).foreach(_ => window.push(tuple(1, BitSet(0), BitSet(0), 100L)))
    window.push(tuple(1, BitSet(0), BitSet(0), 50000000L))
    assert(window.meanNanos(0) == (32 * 100.0 + 800) / 33)
    val cold = new ProfileWindow(1, 1000)
    (1 to 10).foreach(_ => cold.push(tuple(1, BitSet(0), BitSet(0), 40000L)))
    (1 to 90).foreach(_ => cold.push(tuple(1, BitSet(0), BitSet(0), 100L)))
    assert(cold.meanNanos(0) == (10 * 800.0 + 90 * 100) / 100)
  }

  test("a histogram from which samples were taken back equals one that never had them") {
    val times = Gen.listOf(Gen.choose(0L, 1000000L))
    forAll(times, times) { (kept, gone) =>
      val both, one = new TimeHistogram
      (kept ++ gone).foreach(both.add)
      kept.foreach(one.add)
      gone.foreach(both.remove)
      assert(both.size == kept.size)
      if (kept.nonEmpty) assert(both.mean == one.mean)
    }
  }

  test("the longer average caps pauses alike, and follows a lasting change") {
    val times = new AverageTimes(1, 100)
    assert(times.mean(0).isNaN && times.meanOrFloor(0) == 1.0)
    (1 to 200).foreach(_ => times.observe(tuple(1, BitSet(0), BitSet(), 100L)))
    times.observe(tuple(1, BitSet(0), BitSet(), 1000000000L))
    assert(times.mean(0) > 100.0 && times.mean(0) < 120.0)
    (1 to 1000).foreach(_ => times.observe(tuple(1, BitSet(0), BitSet(), 10000L)))
    assert(times.mean(0) > 9900.0)
  }
}
