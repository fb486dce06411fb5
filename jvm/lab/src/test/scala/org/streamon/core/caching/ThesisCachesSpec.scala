package org.streamon.core.caching

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.joins._

/** The worked examples of the thesis's Sections 5.4 to 5.7. Its R1 is input 0, and so on; Example 5.4.2
  * prints a selection on R2.B where the key is R2.A.
  */
class ThesisCachesSpec extends AnyFunSuite {

  /** R1(A), R2(A, B), R3(B) of Example 5.1.1, under the pipelines of Figure 5.2. */
  private def threeWay(cached: Set[Int]*): CachedJoin = {
    val equalities = Seq(Equality(0, 0, 1, 0), Equality(1, 1, 2, 0))
    val join = new CachedJoin(equalities, Seq(Seq(1, 2), Seq(2, 0), Seq(1, 0)), CacheMode.Prefix, cached)
    for ((a, b) <- Seq(1 -> 2, 1 -> 3, 2 -> 3)) join.insert(1, a, b)
    join.insert(2, 2)
    join
  }

  private def row(values: Any*): Row = values.toVector

  test("Examples 5.1.1 to 5.4.4: a miss creates, an insertion maintains, the next probe hits") {
    val join = threeWay(Set(1, 2))
    assert(join.entries.isEmpty)

    assert(join.insert(0, 1) == Seq(Seq(row(1), row(1, 2), row(2))))
    assert((join.report.hits, join.report.misses) == ((0, 1)))
    assert(join.entries == Map(Seq(1L) -> Seq(Seq(row(1, 2), row(2)))))

    val before = join.report.updates
    assert(join.insert(2, 3) == Seq(Seq(row(1), row(1, 3), row(3))))
    // <1,3,3> is added; <2,3,3>, whose key is not there, passes and is ignored.
    assert(join.report.updates - before == 2)
    assert(join.entries == Map(Seq(1L) -> Seq(Seq(row(1, 2), row(2)), Seq(row(1, 3), row(3)))))

    val found = join.insert(0, 1)
    assert(found.toSet == Set(Seq(row(1), row(1, 2), row(2)), Seq(row(1), row(1, 3), row(3))))
    assert((join.report.hits, join.report.misses) == ((1, 1)))
  }

  test("a deletion maintains, down to an empty value that is a hit") {
    val join = threeWay(Set(1, 2))
    join.insert(0, 1)
    join.delete(2, 2)
    assert(join.entries == Map(Seq(1L) -> Nil))
    assert(join.insert(0, 1).isEmpty && join.report.hits == 1)
    assert(join.insert(0, 7).isEmpty && join.report.misses == 2)
    assert(join.insert(0, 7).isEmpty && join.report.hits == 2)
  }

  test("Example 5.4.3: R2, R1 cannot be cached in R3's pipeline, since R2's does not begin with R1") {
    assert(threeWay(Set(0, 1)).caches.inUse.isEmpty)
  }

  /** Example 5.5.1: six streams on one attribute. */
  private val sixWay = Seq("23456", "13546", "21456", "51236", "42316", "21453")

  private def candidates(pipelines: Seq[String]): Candidates =
    new Candidates(
      new JoinGraph(6, JoinCases.oneKey(6)),
      pipelines.map(_.map(_.asDigit - 1).toArray).toIndexedSeq
    )

  private def named(set: Long): String = Bits.members(set).map(_ + 1).mkString

  test("Example 5.5.1: ten candidates, their containment and sharing") {
    val found = candidates(sixWay).prefix
    assert(found.size == 10)
    // The thesis does not name the sharing of {4,5}.
    val places = found.groupBy(c => named(c.subresult)).map(x => x._1 -> x._2.map(_.pipeline + 1).sorted)
    assert(
      places == Map("45" -> Seq(1, 2, 3, 6), "12" -> Seq(3, 4, 6), "123" -> Seq(4, 5), "12345" -> Seq(6))
    )
    assert(found.groupBy(_.content).size == 4)
    val nested =
      for (a <- found; b <- found if a.contains(b))
        yield (a.pipeline + 1, named(a.subresult), named(b.subresult))
    assert(nested.toSet == Set((4, "123", "12"), (6, "12345", "12"), (6, "12345", "45")))
  }

  test("Example 5.7.1: (R2 join R3) semijoin R1 in R6's pipeline") {
    val places = candidates(sixWay.init :+ "23451")
    assert(!places.prefixInvariant(Bits.of(Seq(1, 2))) && places.prefixInvariant(Bits.of(Seq(0, 1, 2))))
    val all = places.global(Int.MaxValue)
    val cache = all.find(c => c.pipeline == 5 && named(c.subresult) == "23").get
    assert(cache.isGlobal && named(cache.semijoin) == "1" && !cache.supportsItself)
    assert(cache.maintainers == Seq(0, 1, 2) && cache.maintainedAt == 2)
    assert(places.global(3) == places.prefix, "there are more than three under the prefix invariant")
  }
}
