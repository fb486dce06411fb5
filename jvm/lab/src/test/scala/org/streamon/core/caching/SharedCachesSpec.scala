package org.streamon.core.caching

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.joins._

/** One cache for several pipelines: four inputs on one attribute, of which the pipelines of 0 and 1 both look
  * into the join of 2 and 3.
  */
class SharedCachesSpec extends AnyFunSuite {
  private def join(memory: CacheMemory = new CacheMemory(1 << 20)): CachedJoin = {
    val pipelines = Seq(Seq(1, 2, 3), Seq(0, 2, 3), Seq(3, 0, 1), Seq(2, 0, 1))
    val made = new CachedJoin(JoinCases.oneKey(4), pipelines, CacheMode.Prefix, Seq(Set(2, 3)), memory)
    made.insert(2, 1)
    made.insert(3, 1)
    made.insert(0, 1)
    made
  }

  test("what one pipeline has put there the other finds") {
    val shared = join()
    assert(shared.report.places.size == 2, "one cache in two places")
    assert(shared.insert(1, 1).size == 1 && shared.report.misses == 1 && shared.report.hits == 0)
    assert(shared.insert(0, 1).size == 1 && shared.report.misses == 1 && shared.report.hits == 1)
    assert(shared.report.entries == 1)
  }

  test("it is maintained once, for both") {
    val shared = join()
    shared.insert(1, 1)
    val before = shared.report.updates
    assert(shared.insert(2, 1).size == 1)
    assert(shared.report.updates == before + 1 && shared.entries.values.head.size == 2)
    assert(shared.insert(0, 1).size == 2 && shared.insert(1, 1).size == 4 && shared.report.misses == 1)
  }

  test("pages are taken from it at once while nobody works on it, and otherwise when it is next used") {
    for (isIdle <- Seq(true, false)) {
      val memory = new CacheMemory(1 << 20)
      val shared = join(memory)
      shared.insert(1, 1)
      if (isIdle) shared.caches.suspend()
      val rival = new memory.Share(() => ())
      rival.priority = 1.0
      assert(rival.grow(1 << 20))
      assert(shared.report.entries == (if (isIdle) 0 else 1))
      shared.caches.resume()
      assert(shared.insert(0, 1).size == 1 && shared.report.entries == 0)
    }
  }

  test("when it is closed its memory is free") {
    val memory = new CacheMemory(1 << 20)
    val shared = join(memory)
    shared.insert(1, 1)
    assert(memory.taken > 0)
    shared.caches.close()
    assert(memory.taken == 0 && shared.insert(0, 1).size == 1)
  }
}
