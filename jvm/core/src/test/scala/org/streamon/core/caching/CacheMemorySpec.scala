package org.streamon.core.caching

import java.util.SplittableRandom
import org.scalacheck.Gen
import org.scalatest.funsuite.AnyFunSuite
import org.scalatestplus.scalacheck.ScalaCheckPropertyChecks

class CacheMemorySpec extends AnyFunSuite with ScalaCheckPropertyChecks {

  private val page = 4096L
  private val total = 64 * page

  private class Owners(bytes: Long, priorities: Double*) {
    val memory = new CacheMemory(bytes)
    val losses: Array[Int] = new Array[Int](priorities.size)
    val shares: IndexedSeq[memory.Share] = priorities.indices.map { k =>
      val share = new memory.Share(() => losses(k) += 1)
      share.priority = priorities(k)
      share
    }
  }

  test("free pages go to who asks") {
    val owners = new Owners(total, 0.0, 5.0)
    assert(owners.shares(0).grow(10 * page - 1) && owners.shares(0).allowed == 10 * page)
    assert(owners.shares(1).grow(54 * page) && owners.memory.taken == total)
    assert(owners.losses.sum == 0)
  }

  test("then they are taken from the lowest priority, and never from an equal or a higher one") {
    val owners = new Owners(total, 3.0, 1.0, 2.0)
    val (high, low, middle) = (owners.shares(0), owners.shares(1), owners.shares(2))
    assert(high.grow(20 * page) && low.grow(20 * page) && middle.grow(24 * page))
    assert(high.grow(30 * page))
    assert(Seq(high, low, middle).map(_.allowed / page) == Seq(30, 10, 24))
    assert(owners.losses.toSeq == Seq(0, 1, 0))
    assert(high.grow(45 * page))
    assert(Seq(high, low, middle).map(_.allowed / page) == Seq(45, 0, 19))
    assert(!low.grow(page) && !middle.grow(20 * page) && middle.allowed == 19 * page)
    assert(owners.memory.taken == total)
  }

  test("who cannot have all that it asks for gets nothing, and takes nothing from others") {
    val owners = new Owners(total, 2.0, 2.0)
    owners.shares(0).grow(60 * page)
    assert(!owners.shares(1).grow(10 * page) && owners.shares(1).allowed == 0 && owners.losses.sum == 0)
  }

  test("what is given back is free again") {
    val owners = new Owners(total, 1.0, 1.0)
    owners.shares(0).grow(total)
    assert(!owners.shares(1).grow(1))
    owners.shares(0).close()
    assert(owners.memory.taken == 0 && owners.shares(0).allowed == 0 && owners.shares(1).grow(total))
  }

  test("where less may be given out, the lowest priority gives up first, and profiling nothing") {
    val owners = new Owners(total, 3.0, 1.0, 2.0)
    val (high, low, middle) = (owners.shares(0), owners.shares(1), owners.shares(2))
    val profiling = new owners.memory.Share(() => fail("lost a page"), profiling = true)
    assert(profiling.grow(4 * page) && high.grow(20 * page) && low.grow(20 * page) && middle.grow(20 * page))
    owners.memory.limit(30 * page)
    assert(Seq(high, low, middle).map(_.allowed / page) == Seq(20, 0, 6))
    assert(owners.memory.taken == 30 * page && owners.losses.toSeq == Seq(0, 1, 1))
    assert(!low.grow(page) && high.grow(21 * page) && middle.allowed == 5 * page)
    owners.memory.limit(0L)
    assert(owners.shares.map(_.allowed).sum == 0L && profiling.allowed == 4 * page)
    assert(!high.grow(page), "profiling has more than there may be")
    owners.memory.limit(Long.MaxValue)
    assert(high.grow(60 * page) && owners.memory.taken == total && !low.grow(page))
  }

  test("profiling goes before every cache, keeps what it has, and has at most an eighth") {
    val owners = new Owners(total, 9.0)
    val cache = owners.shares(0)
    val first, second = new owners.memory.Share(() => fail("lost a page"), profiling = true)
    assert(cache.grow(total) && first.mostForProfiling == 8 * page)
    assert(first.grow(5 * page) && owners.losses.toSeq == Seq(1) && cache.allowed == total - 5 * page)
    assert(!cache.grow(total) && first.mostForProfiling == 8 * page && second.mostForProfiling == 3 * page)
    assert(!second.grow(4 * page) && second.grow(3 * page) && !first.grow(6 * page))
    first.release(2 * page - 1)
    assert(first.allowed == 2 * page && second.grow(6 * page) && owners.memory.taken == total)
    second.close()
    assert(first.mostForProfiling == 8 * page)
  }

  test("a small memory has small pages") {
    val owners = new Owners(100, 1.0, 2.0)
    assert(owners.shares(0).grow(40) && owners.shares(0).allowed == 40 && owners.memory.taken == 40)
  }

  test("whatever is asked for, pages given out stay within the bound and are those of the shares") {
    forAll(Gen.choose(1L, 1L << 20), Gen.choose(0L, 1L << 40)) { (bytes, seed) =>
      val random = new SplittableRandom(seed)
      val owners = new Owners(bytes, Seq.fill(5)(random.nextInt(4).toDouble): _*)
      val profiling = Seq.fill(2)(new owners.memory.Share(() => fail("lost a page"), profiling = true))
      val all = owners.shares ++ profiling
      for (_ <- 0 until 50) {
        val share = all(random.nextInt(7))
        val asked = 1 + random.nextLong(2 * bytes)
        val before = share.allowed
        random.nextInt(5) match {
          case 0 => share.close()
          case 1 => share.release(asked)
          case 2 => if (!profiling.contains(share)) share.priority = random.nextInt(4).toDouble
          case _ => assert(share.grow(asked) == (share.allowed >= asked) && share.allowed >= before)
        }
        assert(owners.memory.taken <= bytes && all.map(_.allowed).sum == owners.memory.taken)
        assert(profiling.map(_.allowed).sum <= bytes / 8)
      }
    }
  }
}
