package org.streamon.lab

import java.util.SplittableRandom
import scala.collection.mutable

/** What a query of Linear Road sees: a tuple, or that one leaves its window, by the value of its first
  * column.
  *
  * @param row
  *   of a tuple that arrives; else null
  * @param order
  *   in seconds
  */
private[lab] final case class RoadEvent(
    input: Int,
    row: Array[Long],
    passes: Boolean,
    order: Long,
    leaves: Long
)

/** Cars on an expressway of 100 segments, by our own generator: the data set of 2003 is not to be had. Cars
  * enter at a constant rate, each with a number of its own, report every 30 seconds for 10 to 30 reports,
  * move on a segment every other report, and report once more from the exit lane. One in a hundred stops, for
  * 8 reports.
  *
  * @param cars
  *   in all
  * @param perSecond
  *   that enter
  */
private[lab] final class LinearRoadStreams(cars: Int, perSecond: Int, seed: Long) {

  /** A report.
    *
    * @param last
    *   the car's four latest positions are one
    */
  private case class Report(
      second: Long,
      car: Long,
      segment: Long,
      first: Boolean,
      exits: Boolean,
      stands: Boolean
  )

  private val reports: Array[Report] = {
    val random = new SplittableRandom(seed)
    val all = mutable.ArrayBuilder.make[Report]
    for (car <- 0 until cars) {
      val (start, count) = (car / perSecond + random.nextInt(30), 10 + random.nextInt(21))
      val stop = if (random.nextInt(100) == 0) random.nextInt(count) else count
      val enter = random.nextInt(80)
      var (at, second) = (0, start.toLong)
      def report(standing: Int): Unit = {
        val exits = at == count - 1
        all += Report(
          second,
          car.toLong,
          (enter + at / 2).toLong % 100,
          at == 0 && standing == 0,
          exits,
          standing >= 3
        )
        second += 30
      }
      while (at < count) {
        report(0)
        if (at == stop) for (standing <- 1 to 8) report(standing)
        at += 1
      }
    }
    all.result().sortBy(_.second)
  }

  private final class Events {
    private val all = mutable.ArrayBuilder.make[RoadEvent]
    def arrive(input: Int, second: Long, row: Long*): Unit = arriveIf(true, input, second, row: _*)
    def arriveIf(passes: Boolean, input: Int, second: Long, row: Long*): Unit =
      all += RoadEvent(input, row.toArray, passes, second, 0L)
    def leave(input: Int, second: Long, key: Long): Unit =
      all += RoadEvent(input, null, passes = false, second, key)
    def result: Array[RoadEvent] = all.result()
  }

  /** Input 0, LastRep (cid, sid): a car's latest report, `[Partition By cid Rows 1]`. Of one instant the
    * tuple that it takes the place of comes first, then other inputs', then it.
    */
  private def lastRep(out: Events, r: Report)(others: => Unit): Unit = {
    if (!r.first) out.leave(0, r.second, r.car)
    others
    out.arrive(0, r.second, r.car, r.segment)
  }

  /** CurActiveCars (cid): cars that have reported in 30 seconds. A car that does not report again is gone
    * then.
    */
  private final class Active(out: Events, input: Int) {
    private val ending = mutable.Queue.empty[(Long, Long)]
    def at(r: Report): Unit = {
      while (ending.headOption.exists(_._1 < r.second)) out.leave(input, r.second, ending.dequeue()._2)
      if (r.first) out.arrive(input, r.second, r.car)
      if (r.exits) ending.enqueue((r.second + 30, r.car))
    }
  }

  /** LastRep -> CurActiveCars. */
  def curCarSeg: Array[RoadEvent] = {
    val out = new Events
    val active = new Active(out, 1)
    reports.foreach(r => lastRep(out, r)(active.at(r)))
    out.result
  }

  /** LastRep -> CurActiveCars, LastRep -> AccCars: cars whose last four reports are from one place. */
  def accSeg: Array[RoadEvent] = {
    val out = new Events
    val active = new Active(out, 1)
    val standing = mutable.HashSet.empty[Long]
    reports.foreach { r =>
      lastRep(out, r) {
        active.at(r)
        if (r.stands && standing.add(r.car)) out.arrive(2, r.second, r.car)
        if (!r.stands && standing.remove(r.car)) out.leave(2, r.second, r.car)
      }
    }
    out.result
  }

  /** LastRep -> ExitCars: cars that report from the exit lane, for 30 seconds. */
  def carExit: Array[RoadEvent] = {
    val out = new Events
    val exits = mutable.Queue.empty[(Long, Long)]
    reports.foreach { r =>
      while (exits.headOption.exists(_._1 < r.second)) out.leave(1, r.second, exits.dequeue()._2)
      lastRep(out, r) {
        if (r.exits) {
          exits.enqueue((r.second + 30, r.car))
          out.arrive(1, r.second, r.car)
        }
      }
    }
    out.result
  }

  /** Reports of five minutes (segment and minute, cid) -> Tolls (segment and minute, toll) of five minutes:
    * that of a segment is told at the begin of the minute, and three in ten are above nothing.
    */
  def negToll: Array[RoadEvent] = {
    val out = new Events
    val random = new SplittableRandom(seed)
    var minute = -1L
    reports.foreach { r =>
      while (minute < r.second / 60) {
        minute += 1
        for (segment <- 0 until 100)
          out.arriveIf(random.nextInt(10) < 3, 1, 60 * minute, 100 * minute + segment, 1L)
      }
      out.arrive(0, r.second, 100 * minute + r.segment, r.car)
    }
    out.result
  }
}
