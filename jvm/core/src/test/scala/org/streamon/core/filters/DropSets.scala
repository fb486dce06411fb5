package org.streamon.core.filters

import scala.collection.immutable.BitSet

import org.scalacheck.Gen

/** Sets of filters as tests have them: immutable, and of Scala's own making. */
object DropSets {

  /** Numbers of filters: few, and one of so many times more than one word or two have bits. */
  def sizes(few: Gen[Int], oneOf: Int): Gen[Int] =
    Gen.frequency((oneOf - 1) -> few, 1 -> Gen.choose(65, 130))

  /** Any set of n filters: of half of them, or of a few. */
  def some(n: Int): Gen[BitSet] = for {
    share <- Gen.oneOf(0.5, math.min(3.0 / n, 0.5))
    seed <- Gen.long
  } yield {
    val random = new scala.util.Random(seed)
    BitSet.fromSpecific((0 until n).filter(_ => random.nextDouble() < share))
  }

  def nonEmpty(n: Int): Gen[BitSet] =
    Gen.zip(some(n), Gen.choose(0, n - 1)).map { case (set, q) => if (set.isEmpty) BitSet(q) else set }

  def filterSet(n: Int, members: BitSet): FilterSet = FilterSet.of(n, members.toSeq: _*)
}
