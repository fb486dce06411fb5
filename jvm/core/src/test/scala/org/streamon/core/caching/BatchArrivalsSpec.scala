package org.streamon.core.caching

import org.scalatest.funsuite.AnyFunSuite

/** What a batch is foreseen to bring. */
class BatchArrivalsSpec extends AnyFunSuite {
  private def feed(arrivals: BatchArrivals, rows: (Int, Int)*): Unit =
    for ((input, count) <- rows; _ <- 0 until count) arrivals.arrived(input)

  private def foreseen(arrivals: BatchArrivals) = (0 until 3).map(arrivals.foreseen)

  private def after(rows: (Int, Int)*): BatchArrivals = {
    val arrivals = new BatchArrivals(3)
    feed(arrivals, rows: _*)
    arrivals.end()
    arrivals
  }

  test("an input that is over brought what came; the others bring no less than in the batch before") {
    val arrivals = after(0 -> 10, 1 -> 20, 2 -> 30)
    assert(foreseen(arrivals) == Seq(10, 20, 30) && (0 until 3).forall(arrivals.missing(_) == 0), "between")
    feed(arrivals, 0 -> 4)
    assert(foreseen(arrivals) == Seq(10, 20, 30))
    feed(arrivals, 0 -> 21)
    assert(foreseen(arrivals) == Seq(25, 20, 30))
    feed(arrivals, 2 -> 1)
    assert(foreseen(arrivals) == Seq(25, 0, 30))
  }

  test("of the batches before the last one counts") {
    val arrivals = after(0 -> 8, 1 -> 8)
    feed(arrivals, 0 -> 16)
    arrivals.end()
    feed(arrivals, 0 -> 1)
    assert(foreseen(arrivals) == Seq(16, 0, 0))
  }

  test("nothing is foreseen in the first batch, nor from one without elements") {
    val arrivals = new BatchArrivals(3)
    arrivals.end()
    feed(arrivals, 0 -> 5)
    assert(!arrivals.canForesee && foreseen(arrivals) == Seq(5, 0, 0))
    arrivals.end()
    arrivals.end()
    feed(arrivals, 1 -> 1)
    assert(arrivals.canForesee && foreseen(arrivals) == Seq(0, 1, 0))
  }

  test("nothing where inputs come in turn") {
    val arrivals = after(0 -> 5, 1 -> 5, 2 -> 5)
    feed(arrivals, 0 -> 1, 1 -> 1, 0 -> 1)
    assert(!arrivals.canForesee && foreseen(arrivals) == Seq(2, 1, 0))
  }
}
