package org.streamon.spark.execution.state

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.Warnings

/** The ledger of what an executor keeps. */
class ExecutorMemorySuite extends AnyFunSuite {

  /** Caches that take what they are told. */
  private class Caches(var taken: Long = 0L) extends ExecutorMemory.Caches {
    var limits: Seq[(Long, Long)] = Nil
    override def limit(budget: Long, bytes: Long): Unit = {
      limits :+= budget -> bytes
      taken = math.min(taken, bytes)
    }
  }

  private def share(memory: ExecutorMemory, budget: Long, bytes: Long) = {
    val share = memory.newShare(budget)
    share.bytes = bytes
    share
  }

  test("a mirror may have what others leave, and an equal part at least") {
    val memory = new ExecutorMemory(new Caches)
    val small = share(memory, 900L, 50L)
    val large = share(memory, 900L, 700L)
    val other = share(memory, 900L, 100L)
    assert(memory.taken == 850L)
    assert(Seq(small, large, other).map(_.fair) == Seq(300L, 300L, 300L))
    assert(Seq(small, large, other).map(_.most) == Seq(300L, 750L, 300L))
    assert(!small.isTight)
    other.bytes = 200L
    assert(small.isTight && large.most == 650L)
  }

  test("what a closed share had is free, and it counts no more") {
    val memory = new ExecutorMemory(new Caches)
    val one = share(memory, 100L, 60L)
    val two = share(memory, 100L, 40L)
    one.close()
    one.close()
    one.bytes = 1000L
    assert(memory.taken == 40L)
    assert((two.fair, two.most) == ((100L, 100L)))
  }

  test("a query with a small budget leaves another its part") {
    val memory = new ExecutorMemory(new Caches)
    val large = share(memory, 1000L, 400L)
    val small = share(memory, 10L, 50L)
    assert(small.isTight && small.most == 5L)
    assert(!large.isTight && large.fair == 500L)
  }

  test("caches take what mirrors leave") {
    val caches = new Caches(taken = 20L)
    val memory = new ExecutorMemory(caches)
    val one = share(memory, 100L, 30L)
    val two = share(memory, 100L, 30L)
    assert((memory.taken, one.fair, one.most) == ((80L, 40L, 50L)))
    two.bytes = 60L
    assert(one.isTight)
    one.limitCaches()
    assert(caches.limits == Seq(100L -> 10L) && !one.isTight && one.most == 45L)
    two.bytes = 110L
    one.limitCaches()
    assert(caches.limits.last == (100L -> 0L))
    assert(ExecutorMemory.forCaches(1000L) == 250L && ExecutorMemory.forCaches(0L) == 1L)
  }

  test("without a conf it is a part of the heap; a conf above the heap is told of, and counts as none") {
    assert(ExecutorMemory.budget(None, heap = 1000L) == 300L)
    assert(ExecutorMemory.budget(Some(0L), heap = 1000L) == 0L)
    assert(ExecutorMemory.budget(Some(1000L), heap = 1000L) == 1000L)
    val warnings = Warnings.during(assert(ExecutorMemory.budget(Some(1001L), heap = 1000L) == 300L))
    assert(warnings.size == 1 && warnings.head.contains("executor.memory is 1001 bytes"), warnings)
    assert(warnings.head.contains("default of 300 bytes is used"))
  }
}
