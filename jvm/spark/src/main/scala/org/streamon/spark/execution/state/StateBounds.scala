package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.EventTimeWatermark
import org.apache.spark.sql.execution.streaming.operators.stateful.WatermarkSupport
import org.apache.spark.sql.types.StructType
import org.streamon.core.joins.Bits
import org.streamon.spark.logical.JoinSpec

/** The bounds of the state of an n-ary join. As in Spark's two-way joins, they come from a watermark on a
  * part of the key, or from conditions between the event times of the inputs.
  *
  * @param times
  *   by input, where its rows have the time by which they expire; none when they never do
  * @param offsets
  *   by input, milliseconds: no future row of another input can match rows whose time is up to watermark +
  *   offset
  * @param partners
  *   by input that expires, another one whose future rows its rows are past before they expire, if any
  * @param late
  *   by input, milliseconds, at most 0: rows whose event time is up to watermark + late come too late
  * @param delay
  *   milliseconds, at most 0: event times of results are above watermark + delay
  */
final case class StateBounds(
    times: IndexedSeq[Option[TimeOfRow]],
    offsets: IndexedSeq[Option[Long]],
    partners: IndexedSeq[Option[Partner]],
    late: IndexedSeq[Long],
    delay: Long
) {
  def expiring: Array[Boolean] = offsets.map(_.isDefined).toArray

  /** By input, microseconds: rows with a time up to it can go; Long.MinValue when none can. */
  def at(watermarkMillis: Option[Long]): Array[Long] = micros(offsets, watermarkMillis)

  /** By input, microseconds: rows with a time up to it can go when its partner has none for them. */
  def unmetAt(watermarkMillis: Option[Long]): Array[Long] =
    micros(partners.map(_.map(_.offset)), watermarkMillis)

  private def micros(offsets: Seq[Option[Long]], watermark: Option[Long]) =
    offsets.map(_.flatMap(o => watermark.map(w => (w + o) * 1000L)).getOrElse(Long.MinValue)).toArray

  /** What is left when some inputs keep their rows by other rules. */
  def without(inputs: Int => Boolean): StateBounds = copy(
    times.zipWithIndex.map { case (time, i) => time.filterNot(_ => inputs(i)) },
    offsets.zipWithIndex.map { case (offset, i) => offset.filterNot(_ => inputs(i)) },
    partners.map(_.filterNot(_ => offsets.indices.exists(inputs)))
  )

  def exist: Boolean = offsets.exists(_.isDefined)
}

object StateBounds {

  /** @param inputs
    *   the columns of each
    * @param severalEventTimes
    *   whether an input may have more than one column with a watermark, of which the first counts
    * @param ownWatermarks
    *   whether each of Spark's joins has a watermark of its own
    */
  def apply(
      inputs: Seq[Seq[Attribute]],
      spec: JoinSpec,
      severalEventTimes: Boolean,
      ownWatermarks: Boolean
  ): StateBounds = {
    import spec.{bounding, keys, residuals, timed, twoWay}
    val n = inputs.size
    val eventTimes = inputs.map(WatermarkSupport.findEventTimeColumn(_, severalEventTimes))
    val late = if (ownWatermarks) twoWay.late else Vector.fill(n)(0L)
    val ofAll = for {
      (key, dimension) <- keys.zipWithIndex if key.forall(_.nonEmpty)
      part <- key.head.indices.find(p => bounding(dimension)(p) && key.exists(parts => isEventTime(parts(p))))
    } yield key.map(parts => Some(TimeOfRow(Some(dimension), part, isWindow(parts(part)))))
    val (times, lead) = ofAll.headOption match {
      // Rows that meet are equal there.
      case Some(ofKey) => (ofKey, (_: Int, _: Int) => Some(0L))
      case None        => (ofColumns(inputs, eventTimes), closure(leads(eventTimes, keys, residuals)))
    }
    def offset(i: Int, j: Int) = lead(i, j).map(_ + late(j))
    val offsets = (0 until n).map { i =>
      val others = (0 until n).filter(_ != i).map(offset(i, _))
      if (others.forall(_.isDefined)) others.flatten.minOption else None
    }
    def partner(i: Int) = for {
      last <- offsets(i)
      all = for {
        j <- 0 until n if j != i
        earlier <- offset(i, j) if earlier > last
        d <- keys.indices.find(d =>
          keys(d)(i).nonEmpty && keys(d)(j).nonEmpty && !keys(d)(i).forall(_.foldable)
        )
      } yield Partner(j, d, earlier)
      first <- all.maxByOption(_.offset)
    } yield first
    // Of several event times in its results, which Spark refuses, one may be older than Spark's joins add up to.
    val delay = (twoWay.delay +: Bits.members(timed).flatMap(offsets(_))).min
    StateBounds(
      (0 until n).map(i => offsets(i).flatMap(_ => times(i))),
      offsets,
      (0 until n).map(partner),
      late,
      delay
    )
  }

  /** Whether it is a column with a watermark. */
  def isEventTime(e: Expression): Boolean = e match {
    case named: NamedExpression => named.metadata.contains(EventTimeWatermark.delayKey)
    case _                      => false
  }

  private def ofColumns(inputs: Seq[Seq[Attribute]], eventTimes: Seq[Option[Attribute]]) =
    inputs.zip(eventTimes).map { case (columns, time) =>
      time.map(column => TimeOfRow(None, columns.indexWhere(_.exprId == column.exprId), isWindow(column)))
    }

  /** By input, by another: how far its event time must be ahead of one that the other's exceeds,
    * milliseconds, for their rows to meet.
    */
  private def leads(
      eventTimes: Seq[Option[Attribute]],
      keys: Seq[Seq[Seq[Expression]]],
      residuals: Seq[Expression]
  ): Vector[Vector[Option[Long]]] = {
    def isTime(i: Int)(part: Expression) = eventTimes(i).exists(part.semanticEquals)
    def equal(i: Int, j: Int) = Option.when(
      keys.exists(key => key(i).zip(key(j)).exists { case (a, b) => isTime(i)(a) && isTime(j)(b) })
    )(0L)
    def range(i: Int, j: Int) =
      eventTimes(i).zip(eventTimes(j)).flatMap { case (a, b) => TimeRange.lead(a, b, residuals) }
    Vector.tabulate(eventTimes.size, eventTimes.size)((i, j) =>
      if (i == j) Some(0L) else (range(i, j) ++ equal(i, j)).maxOption
    )
  }

  /** The same by any way between two inputs. */
  private def closure(leads: Vector[Vector[Option[Long]]]): (Int, Int) => Option[Long] = {
    val n = leads.size
    val lead = leads.map(_.toArray).toArray
    for (k <- 0 until n; i <- 0 until n; j <- 0 until n if i != j)
      lead(i)(j) = (lead(i)(j) ++ lead(i)(k).zip(lead(k)(j)).map { case (a, b) => a + b }).maxOption
    lead(_)(_)
  }

  private def isWindow(e: Expression): Boolean = e.dataType.isInstanceOf[StructType]
}
