package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.analysis.StreamingJoinHelper
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.EventTimeWatermark
import org.apache.spark.sql.execution.streaming.operators.stateful.WatermarkSupport
import org.apache.spark.sql.types.StructType
import org.streamon.core.joins.{Bits, JoinTree}

/** What bounds the state of an n-ary join, as Spark has it for two inputs: a watermark on a part of the key,
  * or conditions between the event times of the inputs.
  *
  * @param times
  *   by input, where its rows have the time by which they expire; none when they never do
  * @param offsets
  *   by input, milliseconds: rows whose time is up to watermark + offset meet no future row of any other
  *   input
  * @param late
  *   by input, milliseconds, at most 0: rows whose event time is up to watermark + late come too late.
  *   Spark's joins of two each have the watermark that those below leave them
  * @param delay
  *   milliseconds, at most 0: event times of results are above watermark + delay. As in Spark, whose joins of
  *   two each add theirs
  */
final case class StateBounds(
    times: IndexedSeq[Option[TimeOfRow]],
    offsets: IndexedSeq[Option[Long]],
    late: IndexedSeq[Long],
    delay: Long
) {
  def expiring: Array[Boolean] = offsets.map(_.isDefined).toArray

  /** By input, microseconds: rows with a time up to it can go; Long.MinValue when none can. */
  def at(watermarkMillis: Option[Long]): Array[Long] =
    offsets.map(_.flatMap(o => watermarkMillis.map(w => (w + o) * 1000L)).getOrElse(Long.MinValue)).toArray

  /** What is left when some inputs keep their rows by other rules. */
  def without(inputs: Int => Boolean): StateBounds = copy(
    times.zipWithIndex.map { case (time, i) => time.filterNot(_ => inputs(i)) },
    offsets.zipWithIndex.map { case (offset, i) => offset.filterNot(_ => inputs(i)) }
  )

  def exist: Boolean = offsets.exists(_.isDefined)
}

object StateBounds {

  /** @param inputs
    *   the columns of each
    * @param twoWay
    *   the joins of two that Spark would have
    * @param timed
    *   inputs of which the results have the event time, as bits
    * @param keys
    *   by dimension, by input, part by part
    * @param bounding
    *   by dimension, by part: whether watermarks on it bound all inputs that have it
    * @param severalEventTimes
    *   whether an input may have more than one column with a watermark, of which the first counts
    * @param ownWatermarks
    *   whether each of Spark's joins has a watermark of its own
    */
  def apply(
      inputs: Seq[Seq[Attribute]],
      twoWay: JoinTree,
      timed: Long,
      keys: Seq[Seq[Seq[Expression]]],
      bounding: Seq[Seq[Boolean]],
      residuals: Seq[Expression],
      severalEventTimes: Boolean,
      ownWatermarks: Boolean
  ): StateBounds = {
    val ofAll = for {
      (key, dimension) <- keys.zipWithIndex if key.forall(_.nonEmpty)
      part <- key.head.indices.find(p => bounding(dimension)(p) && key.exists(parts => isEventTime(parts(p))))
    } yield onKey(key, dimension, part)
    ofAll.headOption.getOrElse {
      onValues(
        inputs,
        twoWay,
        timed,
        inputs.map(WatermarkSupport.findEventTimeColumn(_, severalEventTimes)),
        keys,
        residuals,
        ownWatermarks
      )
    }
  }

  /** Whether it is a column with a watermark. */
  def isEventTime(e: Expression): Boolean = e match {
    case named: NamedExpression => named.metadata.contains(EventTimeWatermark.delayKey)
    case _                      => false
  }

  /** Watermarks on a part of a key that every input has bound them all: rows that meet are equal there. */
  private def onKey(key: Seq[Seq[Expression]], dimension: Int, part: Int): StateBounds = StateBounds(
    key.map(parts => Some(TimeOfRow(Some(dimension), part, isWindow(parts(part))))).toVector,
    key.map(_ => Some(0L)).toVector,
    key.map(_ => 0L).toVector,
    delay = 0L
  )

  private def onValues(
      inputs: Seq[Seq[Attribute]],
      twoWay: JoinTree,
      timed: Long,
      eventTimes: Seq[Option[Attribute]],
      keys: Seq[Seq[Seq[Expression]]],
      residuals: Seq[Expression],
      ownWatermarks: Boolean
  ): StateBounds = {
    val n = inputs.size
    def isTime(i: Int)(part: Expression) = eventTimes(i).exists(part.semanticEquals)
    def equal(i: Int, j: Int) = Option.when(
      keys.exists(key => key(i).zip(key(j)).exists { case (a, b) => isTime(i)(a) && isTime(j)(b) })
    )(0L)
    def leads(of: Int => Seq[Attribute]) = Vector.tabulate(n, n)((i, j) =>
      if (i == j) Some(0L)
      else (eventTimes(j).flatMap(leadOf(of(i), _, residuals)) ++ equal(i, j)).maxOption
    )
    // For its watermarks Spark takes ranges on any columns, of inputs that have an event time at all.
    val (delay, behind) = watermarks(twoWay, leads(i => if (eventTimes(i).isEmpty) Nil else inputs(i)))
    val late = (0 until n).map(i => if (ownWatermarks) behind(i) else 0L)
    val lead = closure(leads(eventTimes(_).toSeq))
    val offsets = (0 until n).map { i =>
      val others = (0 until n).filter(_ != i).map(j => lead(i)(j).map(_ + late(j)))
      if (others.forall(_.isDefined)) others.flatten.minOption else None
    }
    val times = (0 until n).map { i =>
      offsets(i).flatMap(_ => eventTimes(i)).map { column =>
        TimeOfRow(None, inputs(i).indexWhere(_.exprId == column.exprId), isWindow(column))
      }
    }
    // Of several event times in its results, which Spark refuses, one may be older than Spark's joins add up to.
    StateBounds(times, offsets, late, (delay +: Bits.members(timed).flatMap(offsets(_))).min)
  }

  /** By any way between two inputs. */
  private def closure(leads: Vector[Vector[Option[Long]]]): Array[Array[Option[Long]]] = {
    val n = leads.size
    val lead = leads.map(_.toArray).toArray
    for (k <- 0 until n; i <- 0 until n; j <- 0 until n if i != j)
      lead(i)(j) = (lead(i)(j) ++ lead(i)(k).zip(lead(k)(j)).map { case (a, b) => a + b }).maxOption
    lead
  }

  /** How far behind the query's watermark that of the results of a tree is, and by input that of the join
    * that reads it; milliseconds. A join has the least of those below, and leaves what its ranges make of it.
    */
  private def watermarks(tree: JoinTree, leads: Vector[Vector[Option[Long]]]): (Long, Map[Int, Long]) =
    tree match {
      case JoinTree.Leaf(_)           => (0L, Map.empty)
      case JoinTree.Node(left, right) =>
        val (l, ofLeft) = watermarks(left, leads)
        val (r, ofRight) = watermarks(right, leads)
        val own = l min r
        val ranges = for {
          i <- Bits.members(left.inputs)
          j <- Bits.members(right.inputs)
          millis <- leads(i)(j) ++ leads(j)(i)
        } yield millis
        val leaves = Seq(left, right).collect { case JoinTree.Leaf(input) => input -> own }
        (own + ranges.foldLeft(0L)(_ min _), ofLeft ++ ofRight ++ leaves)
    }

  /** How far columns of an input must be ahead, in milliseconds, of a time that another's exceeds, for their
    * rows to meet: of the conditions between the two, as Spark reads them.
    */
  private def leadOf(of: Seq[Attribute], over: Attribute, residuals: Seq[Expression]): Option[Long] =
    StreamingJoinHelper
      .getStateValueWatermark(
        AttributeSet(of),
        AttributeSet(over),
        residuals.reduceOption(And(_, _)),
        Some(Base)
      )
      .map(_ - Base)

  /** Any watermark will do to find the distance; this one keeps what Spark rounds towards zero rounded down.
    */
  private val Base = 1L << 41

  private def isWindow(e: Expression): Boolean = e.dataType.isInstanceOf[StructType]
}
