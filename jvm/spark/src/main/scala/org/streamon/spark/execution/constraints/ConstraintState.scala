package org.streamon.spark.execution.constraints

import org.streamon.core.constraints.{LongHeap, MissedResults, MissedSample}
import org.streamon.spark.execution.joins.{JoinShape, Mirror}
import org.streamon.spark.planning.{ConstraintMode, ConstraintSettings, JoinConstraint}

/** What constraints know and have done in one partition. It lives with the [[Mirror]] of its rows.
  *
  * @param declared
  *   constraints of hints
  */
final class ConstraintState(
    shape: JoinShape,
    val declared: Seq[JoinConstraint],
    val settings: ConstraintSettings
) extends Mirror.Minding {
  val watch: ConstraintWatch = new ConstraintWatch(shape, declared, settings)
  val cold: ColdTier = new ColdTier(shape)

  /** By input. */
  val dead: Array[DeadMarks] = Array.fill(shape.size)(new DeadMarks)

  /** By input, the sequence numbers and slots of rows that are dead and retained; of some that have left,
    * too.
    */
  private val retained = Array.fill(shape.size)(new LongHeap)
  private val missed =
    Array.fill(if (settings.samples) shape.size else 0)(new MissedResults(settings.retention))

  /** A dead row stays to tell of others. */
  def retain(input: Int, slot: Int, mirror: Mirror): Unit = {
    dead(input).add(slot, mirror.synopsis(input).bytesOf(slot))
    retained(input).push(mirror.synopsis(input).sequence(slot), slot)
  }

  /** Gives the slots of retained rows that are older than anything is watched: what comes so late is not
    * known of any constraint.
    */
  def outlived(mirror: Mirror)(each: (Int, Int) => Unit): Unit =
    for (i <- 0 until shape.size) {
      val (rows, synopsis) = (retained(i), mirror.synopsis(i))
      def isThere(sequence: Long, slot: Int) =
        dead(i)(slot) && synopsis.sequence(slot) == sequence
      while (rows.least < mirror.sequence - settings.forCore.horizon) {
        val sequence = rows.least
        val slot = rows.pop()
        if (isThere(sequence, slot)) each(i, slot)
      }
      rows.compact(isThere)
    }

  /** A row of an input has a result with retained rows, of these keys. */
  def found(input: Int, keys: Seq[Long]): Unit = missed(input).found(keys)

  /** What results that rows of an input have found say of those that are missing, since the latest call. */
  def takeMissed(input: Int): MissedSample =
    if (settings.samples) missed(input).take() else MissedResults.None

  /** Nothing of an input is in memory any longer. */
  def forget(input: Int): Unit = {
    cold.clear(input)
    dead(input).clear()
    retained(input).clear()
  }

  override def made(dimension: Int, code: Long): Unit = watch.made(dimension, code)
  override def gone(dimension: Int, code: Long): Unit = watch.isGone(dimension, code)

  /** Whether the row that has left last was marked as dead. */
  var leftMarked: Boolean = false

  override def left(input: Int, slot: Int, bytes: Long): Unit = {
    leftMarked = dead(input)(slot) && settings.mode.evicts
    dead(input).remove(slot, bytes)
  }

  /** Puts back what `save` gave: where rows have gone by it, it must be what it was.
    *
    * @param stamp
    *   of the state; what was written with another is not of its rows
    * @param known
    *   by name
    */
  def restore(stamp: Long, known: String => Option[Array[Long]]): Unit =
    if (known(ConstraintState.Latest).exists(_.head == stamp))
      watch.all.foreach(w => known(w.name).foreach(w.restore))

  def save(stamp: Long, write: (String, Array[Long]) => Unit): Unit = {
    write(ConstraintState.Latest, Array(stamp, rules))
    watch.all.foreach(w => write(w.name, w.state))
  }

  /** Whether rows may stay where constraints have put them: in strict, where these are the same that it has.
    */
  def keepsCold(known: String => Option[Array[Long]]): Boolean = settings.mode.evicts &&
    (settings.mode != ConstraintMode.Strict || known(ConstraintState.Latest).exists(_.last == rules))

  private def rules = (settings.mode.name, declared.toSet).hashCode.toLong

  /** What people read of each constraint, and how to declare it; made once. */
  lazy val texts: IndexedSeq[String] = watch.all.map(_.text(shape))

  override def bytes: Long =
    watch.bytes + cold.bytes + dead.map(_.memoryBytes).sum + retained.map(_.bytes).sum +
      missed.map(_.bytes).sum
}

object ConstraintState {

  /** That of a mirror's rows; none where constraints are not watched. */
  def of(mirror: Mirror): Option[ConstraintState] = mirror.minding match {
    case state: ConstraintState => Some(state)
    case _                      => None
  }

  /** The name of an entry with the stamp of the state, and the rules by which rows have gone. */
  private val Latest = "latest"
}
