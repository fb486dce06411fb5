package org.streamon.core.joins

import java.util.SplittableRandom
import org.scalatest.funsuite.AnyFunSuite

class MixerSpec extends AnyFunSuite {

  /** By which the product with an odd number is undone. */
  private def inverse(odd: Long): Long = (0 until 6).foldLeft(odd)((known, _) => known * (2 - odd * known))

  /** The number that is mixed into another. */
  private def unmixed(mixed: Long): Long = {
    def unshifted(x: Long, by: Int) = (0 until 64 / by).foldLeft(x)((known, _) => x ^ known >>> by)
    val b = unshifted(mixed, 31) * inverse(0x94d049bb133111ebL)
    val a = unshifted(b, 27) * inverse(0xbf58476d1ce4e5b9L)
    unshifted(a, 30)
  }

  test("no two numbers are mixed into one") {
    val random = new SplittableRandom(1)
    val numbers = Seq(0L, 1L, -1L, Long.MinValue, Long.MaxValue) ++ Seq.fill(1000)(random.nextLong())
    numbers.foreach(n => assert(unmixed(Mixer.mix64(n)) == n))
    numbers.foreach { n =>
      val product = Mixer.fibonacci(n)
      assert((product ^ product >>> 32) * inverse(0x9e3779b97f4a7c15L) == n)
    }
  }

  test("numbers in sequence are spread over a table with hardly a collision") {
    for (first <- Seq(0L, 1000003L, -50L)) {
      val places = (first until first + 128).map(n => Mixer.fibonacci(n).toInt & 255)
      assert(places.distinct.size >= 100, s"from $first on")
    }
  }

  test("a bit that differs changes about half of the bits") {
    for (bit <- 0 until 64) {
      val changed =
        (1L to 1000L).map(n => java.lang.Long.bitCount(Mixer.mix64(n) ^ Mixer.mix64(n ^ 1L << bit)))
      assert(math.abs(changed.sum / 1000.0 - 32) < 1, s"bit $bit")
    }
  }
}
