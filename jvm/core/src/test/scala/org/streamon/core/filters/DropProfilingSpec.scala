package org.streamon.core.filters

import java.util.SplittableRandom
import org.scalatest.funsuite.AnyFunSuite

class DropProfilingSpec extends AnyFunSuite {

  private def share(profiling: DropProfiling, tuples: Int): Double =
    (1 to tuples).count(_ => profiling.sample()).toDouble / tuples

  test("samples with its probability, each tuple independently") {
    for (p <- Seq(0.01, 0.05, 0.5, 0.99)) {
      val profiling = new DropProfiling(new SplittableRandom(3), p)
      val tuples = 400000
      val sampled = Array.fill(tuples)(profiling.sample())
      val tolerance = 5 * math.sqrt(p * (1 - p) / tuples)
      assert(math.abs(sampled.count(identity).toDouble / tuples - p) < tolerance, s"p = $p")
      val followed = sampled.indices.init.filter(sampled(_))
      val again = followed.count(k => sampled(k + 1)).toDouble / followed.size
      assert(math.abs(again - p) < 5 * math.sqrt(p * (1 - p) / followed.size), s"p = $p")
    }
  }

  test("0 samples nothing and 1 everything, also when set later") {
    val profiling = new DropProfiling(new SplittableRandom(3), 0.0)
    assert(share(profiling, 10000) == 0.0)
    profiling.probability = 1.0
    assert(share(profiling, 10000) == 1.0)
    profiling.probability = 0.0
    assert(share(profiling, 10000) == 0.0)
  }

  test("setting p again and again does not bias it") {
    val profiling = new DropProfiling(new SplittableRandom(5), 0.1)
    val sampled = (1 to 100000).count { k =>
      profiling.probability = if (k % 7 < 3) 0.1 else 0.10001
      profiling.sample()
    }
    assert(math.abs(sampled / 100000.0 - 0.1) < 0.005)
  }

  test("what is no probability is refused") {
    for (p <- Seq(-0.1, 1.1, Double.NaN)) {
      val refused = intercept[IllegalArgumentException](new DropProfiling(new SplittableRandom(3), p))
      assert(refused.getMessage.contains("0 to 1"))
    }
  }
}
