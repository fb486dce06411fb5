package org.streamon.spark.joins

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.execution.state.{ExpiryQueue, Times}

class ExpiryQueueSuite extends AnyFunSuite {

  /** Times of slots, and how often they were asked for. */
  private final class Asked(times: Int => Long) extends Times {
    var count = 0
    override def time(slot: Int): Long = {
      count += 1
      times(slot)
    }
  }

  test("rows go in the order of their times") {
    val random = new Random(1)
    val times = Array.fill(1000)(random.nextInt(50).toLong)
    val queue = new ExpiryQueue(new Asked(times(_)))
    times.indices.foreach(queue.add)
    val gone = Seq.fill(1000)(queue.remove())
    assert(gone.map(times(_)) == times.sorted.toSeq && gone.toSet.size == 1000 && queue.isEmpty)
  }

  test("rows may go before their time") {
    val random = new Random(2)
    val times = Array.fill(1000)(random.nextInt(50).toLong)
    val queue = new ExpiryQueue(new Asked(times(_)))
    times.indices.foreach(queue.add)
    val early = random.shuffle(times.indices.toVector).take(500)
    early.foreach(queue.remove(_))
    early.foreach(queue.remove(_))
    // The slots are used again, with other times.
    for (slot <- early.take(100)) {
      times(slot) = random.nextInt(50).toLong
      queue.add(slot)
    }
    val gone = Seq.fill(600)(queue.remove())
    assert(gone.map(times(_)) == gone.map(times(_)).sorted && gone.toSet.size == 600 && queue.isEmpty)
    assert(gone.toSet == times.indices.toSet -- early.drop(100))
  }

  test("to let go of 100 of a million rows is no walk over the others") {
    def time(slot: Int) = slot.toLong * 7919 % 1000000
    val asked = new Asked(time(_))
    val queue = new ExpiryQueue(asked)
    (0 until 1000000).foreach(queue.add)
    asked.count = 0
    for (next <- 0 until 100) assert(time(queue.remove()) == next)
    // Twenty levels, on each the times of two children and of the earlier one.
    assert(asked.count <= 100 * (20 * 3 + 1), asked.count)
  }
}
