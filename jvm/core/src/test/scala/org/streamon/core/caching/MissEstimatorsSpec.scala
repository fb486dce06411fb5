package org.streamon.core.caching

import org.scalatest.funsuite.AnyFunSuite

/** Many joins share the memory for profiling, as the partitions of a query on one executor do. */
class MissEstimatorsSpec extends AnyFunSuite {
  private val candidates = (0 until 3).map(k => CacheCases.candidate(pipeline = k, from = 0, 4, 5))

  /** Estimators of all candidates, as a phase has them. */
  private def profile(estimators: MissEstimators): Seq[MissEstimator] = {
    estimators.begin()
    candidates.map(estimators(_))
  }

  private def made(memory: CacheMemory): MissEstimators = {
    val estimators = new MissEstimators(memory)
    estimators.retain(candidates.toSet)
    estimators
  }

  test("one join has estimators of the full size while it is alone") {
    assert(
      profile(made(new CacheMemory(64L << 20))).map(_.bytes) == Seq.fill(3)(MissEstimator.bytesOf(1 << 12))
    )
  }

  for ((joins, bytes) <- Seq(16 -> (1L << 20), 200 -> (16L << 20)))
    test(s"each of $joins joins has its estimators from its second phase on, within $bytes bytes") {
      val memory = new CacheMemory(bytes)
      val all = Seq.fill(joins) {
        val estimators = made(memory)
        profile(estimators)
        estimators
      }
      all.foreach(profile)
      for ((estimators, join) <- all.zipWithIndex)
        assert(profile(estimators).forall(!_.isEmpty), s"join $join of $joins has none")
      assert(all.map(_.bytes).sum <= memory.taken && memory.taken <= bytes / 8)
    }

  test("when the others are gone a join has as much as one that is alone") {
    val memory = new CacheMemory(1L << 20)
    val others = Seq.fill(15)(made(memory))
    others.foreach(profile)
    others.foreach(_.close())
    assert(profile(made(memory)).map(_.bytes) == Seq.fill(3)(MissEstimator.bytesOf(1 << 12)))
  }
}
