package org.streamon.lab.baselines

import java.util.SplittableRandom

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.selections.Selection.Compare
import org.streamon.core.selections.{Comparison, Construct, SampledRegions, Selection, Selector, Sequence}
import org.streamon.lab.baselines.selections.ExactSequences

class ExactSequencesSpec extends AnyFunSuite {

  private case class Instance(
      constructs: IndexedSeq[Construct[Int]],
      rules: Int,
      rows: IndexedSeq[Array[Int]]
  ) {
    val sample = new SampledRegions(rules, constructs, rows)

    def asked(sequence: Seq[Int]): Long = {
      val selector = new Selector(rules, constructs, Sequence(sequence.toVector))
      rows.foreach(row => selector.select(row(_)))
      selector.constructsAsked
    }
  }

  private def instance(n: Int, seed: Long): Instance = {
    val random = new SplittableRandom(seed)
    val rules = 1 + random.nextInt(10)
    val asked = Seq.fill(rules)((0 until n).filter(_ => random.nextInt(2) == 0))
    val constructs = (0 until n).map { a =>
      val own = asked.zipWithIndex.collect { case (of, rule) if of.contains(a) => rule }
      Construct(
        own.map(_ -> (Compare(Comparison.Greater, random.nextInt(10)): Selection[Int])).toMap,
        rules,
        Long.MaxValue
      )
    }
    val rows = IndexedSeq.fill(40)(constructs.map(c => c.constants.region(random.nextInt(10))).toArray)
    Instance(constructs, rules, rows)
  }

  test("the best and the worst of all sequences, by brute force, and what they cost in a selector") {
    for (seed <- 1L to 30L) {
      val of = instance(1 + (seed % 6).toInt, seed)
      val exact = new ExactSequences(of.sample)
      val every = of.constructs.indices.permutations.toSeq
      for (sequence <- every) assert(exact.cost(sequence) == of.asked(sequence))
      assert(exact.cost(exact.best) == every.map(of.asked).min)
      assert(exact.cost(exact.worst) == every.map(of.asked).max)
    }
  }

  test("more attributes than it can do are refused") {
    assertThrows[IllegalArgumentException](new ExactSequences(instance(21, 1L).sample))
  }
}
