package org.streamon.spark.joins

import org.streamon.core.joins.JoinTree

/** What a trial comes to by the rules of Spark's documentation, worked out row by row: its micro-batches and
  * their watermarks, the rows that are late, and those that the state must still have.
  */
final class EvictionOracle(trial: EvictionTrial) {
  private val n = trial.inputs

  /** Rows of each input that were not late, and how many were. */
  var accepted: IndexedSeq[Seq[TimedRow]] = Vector.fill(n)(Nil)
  var late: Long = 0L

  /** Micro-batches so far; the watermark of the latest, by which state is let go of, and of the one before,
    * by which rows are late; milliseconds.
    */
  var batches: Int = 0
  private var watermark, lateWatermark = 0L

  /** Rows that went early, at most. */
  private var unmet = Set.empty[Int]

  /** The highest time seen of each input, less its delay, since the latest start of the query. */
  private var marks = Map.empty[Int, Long]
  private var next = 0L

  def restart(): Unit = marks = Map.empty

  /** All that comes in one micro-batch, and the one without data after it, when there is something to let go.
    */
  def arrive(rows: Seq[(Int, TimedRow)]): Unit = if (rows.nonEmpty) {
    batch()
    for ((input, row) <- rows)
      if (trial.marked(input) && time(row) <= lateWatermark + lateOffsets(input)) late += 1
      else accepted = accepted.updated(input, accepted(input) :+ row)
    for ((input, row) <- rows; delay <- trial.delays(input))
      marks = marks.updated(input, marks.getOrElse(input, Long.MinValue) max (row.millis - delay))
    val marked = (0 until n).filter(trial.marked)
    if (marked.nonEmpty) next = next max marked.map(marks.getOrElse(_, 0L)).min
    settle()
    if (trial.noDataBatches && next > watermark && offsets.exists(_.isDefined)) {
      batch()
      settle()
    }
  }

  private def batch(): Unit = {
    batches += 1
    lateWatermark = watermark
    watermark = next
  }

  /** Rows in the state by the documented rule, at most: those above watermark + offset, or all where there is
    * none.
    */
  def kept: Long = bounded.map(_.size.toLong).sum

  /** The same at least: without those that ever were without a partner, when it brought no more for them. */
  def met: Long = bounded.flatten.count(row => !unmet(row.id)).toLong

  private def settle(): Unit = {
    val there = bounded.map(_.filterNot(row => unmet(row.id)))
    val lost = for {
      (own, i) <- there.zipWithIndex
      (j, offset) <- partners(i).toSeq
      row <- own if time(row) <= watermark + offset && !there(j).exists(_.k == row.k)
    } yield row.id
    unmet ++= lost
    if (lost.nonEmpty) settle()
  }

  private def bounded: IndexedSeq[Seq[TimedRow]] =
    (0 until n).map(i => accepted(i).filter(row => offsets(i).forall(o => time(row) > watermark + o)))

  /** Rows that some future row may still meet: there is a result of it, future rows of some inputs and rows
    * that have come of the others. Found by trying all of them.
    */
  def needed: Long = (0 until n).map(i => accepted(i).count(isNeeded(i, _)).toLong).sum

  private def isNeeded(input: Int, row: TimedRow): Boolean = {
    def some(at: Int, chosen: Vector[Option[TimedRow]]): Boolean =
      if (at == n) chosen.exists(_.isEmpty) && possible(chosen)
      else if (at == input) some(at + 1, chosen :+ Some(row))
      else (None +: accepted(at).filter(_.k == row.k).map(Some(_))).exists(c => some(at + 1, chosen :+ c))
    some(0, Vector.empty)
  }

  /** Whether there are times for the future rows, which are none here, such that all leads hold: the least
    * ones, raised until they do, unless a row that has come would have to be raised.
    */
  private def possible(chosen: Vector[Option[TimedRow]]): Boolean = {
    val times = chosen.zipWithIndex.map {
      case (Some(row), _)                             => time(row)
      case (None, i) if trial.marked(i) || timesInKey => watermark + lateOffsets(i) + 1
      case _                                          => Long.MinValue / 2
    }.toArray
    var fits = true
    for (_ <- 0 to n; Lead(of, than, millis, strict) <- leads) {
      val least = times(than) + millis + (if (strict) 1L else 0L)
      if (times(of) < least) if (chosen(of).isDefined) fits = false else times(of) = least
    }
    fits
  }

  private def time(row: TimedRow): Long = trial.times match {
    case Times.Windows(millis) => Math.floorDiv(row.millis, millis) * millis + millis
    case _                     => row.millis
  }

  private def timesInKey: Boolean = !trial.times.isInstanceOf[Times.Ranges]

  /** By input, how far from the watermark its rows are late: each join of two has the least watermark of the
    * joins below, and leaves one as far back as the ranges between its sides lead.
    */
  private lazy val lateOffsets: IndexedSeq[Long] = {
    def left(tree: JoinTree): Long = tree match {
      case JoinTree.Leaf(_)    => 0L
      case join: JoinTree.Node => before(join) + ranges(join)
    }
    def before(join: JoinTree.Node) = left(join.left) min left(join.right)
    def ranges(join: JoinTree.Node) =
      if (timesInKey) 0L
      else {
        val own = leads.filter(l => marked(l) && EvictionTrial.meet(join.left, join.right, l.of, l.than))
        own.map(exact).foldLeft(0L)(_ min _)
      }
    (0 until n).map(i => before(trial.tree.readerOf(i)))
  }

  private def exact(lead: Lead): Long = lead.millis - (if (lead.strict) 0 else 1)

  private lazy val leads: Seq[Lead] = trial.times match {
    case Times.Ranges(leads) => leads
    case _ => for (i <- 0 until n; j <- 0 until n if i != j) yield Lead(i, j, 0L, strict = false)
  }

  /** By input, how far above the watermark its rows must be to stay; none when they all stay. A key lets rows
    * go where each of its equalities has a watermark on a side.
    */
  private lazy val offsets: IndexedSeq[Option[Long]] = trial.times match {
    case Times.Ranges(leads) =>
      (0 until n).map { i =>
        val others = (0 until n).filter(_ != i).map(offset(leads, i, _))
        Option.when(others.forall(_.isDefined))(others.flatten.min)
      }
    case _ =>
      val bounding = trial.pairs.forall { case (a, b) => trial.marked(a) || trial.marked(b) }
      Vector.fill(n)(Option.when(bounding)(0L))
  }

  /** By input, the one whose rows it is past first, and how far above the watermark its rows are then. */
  private lazy val partners: IndexedSeq[Option[(Int, Long)]] = trial.times match {
    case Times.Ranges(leads) =>
      (0 until n).map { i =>
        val past = for (j <- 0 until n if j != i; o <- offset(leads, i, j)) yield j -> o
        offsets(i).flatMap(last => past.filter(_._2 > last).maxByOption(_._2))
      }
    case _ => Vector.fill(n)(None)
  }

  private def offset(leads: Seq[Lead], of: Int, than: Int): Option[Long] =
    distance(leads, of, than, Set(of)).map(_ + lateOffsets(than))

  /** The greatest lead of an input over another by any way between them. */
  private def distance(leads: Seq[Lead], from: Int, to: Int, seen: Set[Int]): Option[Long] =
    if (from == to) Some(0L)
    else
      leads
        .filter(l => l.of == from && !seen(l.than) && marked(l))
        .flatMap(l => distance(leads, l.than, to, seen + l.than).map(_ + exact(l)))
        .maxOption

  private def marked(lead: Lead): Boolean = trial.marked(lead.of) && trial.marked(lead.than)
}
