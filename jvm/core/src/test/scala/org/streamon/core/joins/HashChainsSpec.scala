package org.streamon.core.joins

import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class HashChainsSpec extends AnyFunSuite with ScalaCheckPropertyChecks {
  private def chain(chains: HashChains, hash: Int): Seq[Int] =
    Iterator.iterate(chains.first(hash))(chains.next).takeWhile(_ != HashChains.End).toSeq

  test("slots of one hash come newest first, however often it has grown and whatever has gone") {
    forAll(Gen.listOf(Gen.zip(Gen.choose(0, 5), Gen.choose(0, 9)))) { steps =>
      val chains = new HashChains
      var here = Vector.empty[(Int, Int)]
      for (((hash, die), slot) <- steps.zipWithIndex) {
        chains.add(slot, hash)
        here = (slot, hash) +: here
        if (die == 0) {
          val gone = here(here.size / 2)
          chains.remove(gone._1)
          here = here.filter(_ != gone)
        }
      }
      for (hash <- 0 to 5) assert(chain(chains, hash) == here.filter(_._2 == hash).map(_._1))
    }
  }
}
