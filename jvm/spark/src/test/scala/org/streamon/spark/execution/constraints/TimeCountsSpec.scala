package org.streamon.spark.execution.constraints

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.Replay

class TimeCountsSpec extends AnyFunSuite {

  private val second = 1L << TimeCounts.LeastPower

  test("rows up to a time, but for those in its range") {
    val counts = new TimeCounts
    Seq(0L, 1L, second, second, 3 * second).foreach(counts.add)
    assert(
      Seq(-1L, second - 2, second - 1, 2 * second - 1, 9 * second).map(counts.upTo) == Seq(0L, 0L, 2L, 4L, 5L)
    )
    counts.remove(second + 5)
    assert(counts.upTo(2 * second - 1) == 3L)
    assert(counts.upTo(Long.MinValue) == 0L)
  }

  test("never more than there are, and with few ranges still most of them") {
    val seed = Replay.seed.getOrElse(System.nanoTime)
    info(s"-Dstreamon.seed=$seed replays it")
    val random = new Random(seed)
    for (span <- Seq(10L, 10000L, 10000000L).map(_ * second)) {
      val counts = new TimeCounts
      var times = Vector.empty[Long]
      for (step <- 1 to 3000) {
        if (times.nonEmpty && random.nextInt(4) == 0) {
          val at = random.nextInt(times.size)
          counts.remove(times(at))
          times = times.patch(at, Nil, 1)
        } else {
          val time = (step * span / 3000) + random.nextLong(span / 10) - span / 2
          counts.add(time)
          times = times :+ time
        }
        if (step % 100 == 0) {
          val bound = random.nextLong(span) - span / 2
          val least = times.count(_ <= bound - math.max(second, span / TimeCounts.Most * 4))
          assert(counts.upTo(bound) <= times.count(_ <= bound))
          assert(counts.upTo(bound) >= least, s"$span, $step")
        }
      }
      assert(counts.upTo(Long.MaxValue - 1) >= times.size - 1)
    }
  }
}
