package org.streamon.core.caching

import java.util.SplittableRandom
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class TupleIndexSpec extends AnyFunSuite with ScalaCheckPropertyChecks {

  test("whatever is added and taken out, each tuple is found where it is, and no other") {
    forAll(Gen.choose(1, 3), Gen.choose(20, 200), Gen.choose(0L, 1L << 40)) { (width, values, seed) =>
      val random = new SplittableRandom(seed)
      val work = new CacheWork
      val rows = new CacheValue(width)
      def tuple(value: Int) = Array.tabulate(width)(k => (value + k).toLong)
      val all = (0 until values).map(tuple)
      def where(t: Array[Long]) =
        (0 until rows.size).find(at => t.indices.forall(k => rows(at, k) == t(k))).getOrElse(-1)
      all.take(17).foreach(rows.add)
      assert(rows.lacksIndex)
      rows.makeIndex()
      for (_ <- 0 until 2 * values) {
        val some = all(random.nextInt(values))
        val at = rows.indexOf(some, work)
        assert(at == where(some))
        if (at < 0) rows.add(some) else rows.remove(at)
      }
      all.foreach(t => assert(rows.indexOf(t, work) == where(t)))
    }
  }
}
