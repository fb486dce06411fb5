package org.streamon.spark.learning

import java.time.{Duration, Instant}
import java.util.WeakHashMap

import scala.collection.mutable
import scala.util.control.NonFatal

import org.apache.spark.SparkContext
import org.apache.spark.scheduler.{SparkListener, SparkListenerApplicationEnd, SparkListenerEvent}
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd
import org.apache.spark.sql.streamon.SparkInternals
import org.streamon.spark.util.{LogOnce, RecentlyUsed}

/** Writes learned plans into their folders at the end of an execution or a micro-batch. Tasks report plans in
  * a thread of Spark that must not wait. A plan is written when it has changed, and from time to time to
  * update its age. A failed write is tried again, but not in every micro-batch.
  */
private[learning] final class PlanWriter(clock: () => Instant) extends SparkListener {
  import PlanWriter._

  /** With the folder as the session knows it that told last; a session is not held for longer. */
  private val due = mutable.LinkedHashMap.empty[Place, (PlanFolder, LearnedPlan)]
  private val tried = new RecentlyUsed[Place, Attempt](PlanFolder.FilesKept)

  /** Lets a plan be written, if it is worth it. */
  def write(folder: PlanFolder, structure: Structure, plan: LearnedPlan): Unit =
    synchronized(due.put(Place(folder.path, structure), (folder, plan)))

  override def onOtherEvent(event: SparkListenerEvent): Unit = event match {
    case _: SparkListenerSQLExecutionEnd => flush()
    case _                               => ()
  }

  override def onApplicationEnd(end: SparkListenerApplicationEnd): Unit = flush(isLast = true)

  private def flush(isLast: Boolean = false): Unit = {
    val now = clock()
    val plans = synchronized {
      // What waits for another try stays due.
      due.filterInPlace { case (place, (_, plan)) => Option(tried.get(place)).forall(_.isWorthMore(plan)) }
      val taken = due.toSeq.filter { case (place, _) =>
        isLast || Option(tried.get(place)).forall(!_.isPause(now))
      }
      taken.foreach { case (place, _) => due.remove(place) }
      while (due.size > PlanFolder.FilesKept) due.remove(due.head._1)
      taken
    }
    for ((place, (folder, plan)) <- plans) {
      val attempt = Attempt(plan, store(folder, place.structure, plan), now)
      synchronized {
        tried.put(place, attempt)
        if (!attempt.succeeded) due.getOrElseUpdate(place, (folder, plan))
      }
    }
  }

  /** Whether the folder has it now, as far as it may. */
  private def store(folder: PlanFolder, structure: Structure, plan: LearnedPlan): Boolean =
    try {
      if (!isOfOtherVersion(folder, structure)) folder.write(structure, plan)
      true
    } catch {
      // What leaves a listener stops the application.
      case error @ (NonFatal(_) | _: LinkageError) =>
        LogOnce.warn(
          s"Learned orders cannot be written to ${folder.path}, so they last only as long as this application: $error"
        )
        false
    }

  /** A plan that a later StreaMon has written is left to it. One that cannot be read is not worth keeping. */
  private def isOfOtherVersion(folder: PlanFolder, structure: Structure): Boolean =
    try {
      folder.read(structure)
      false
    } catch {
      case _: PlanFormat.OtherVersion    => true
      case NonFatal(_) | _: LinkageError => false
    }
}

private[learning] object PlanWriter {
  private final case class Place(folder: String, structure: Structure)

  /** How far the age of a plan may be off. */
  val Fresh: Duration = Duration.ofHours(1)

  /** How long a folder that could not be written is left alone. */
  val Pause: Duration = Duration.ofMinutes(5)

  private final case class Attempt(plan: LearnedPlan, succeeded: Boolean, at: Instant) {

    /** Whether there is something to write after it. */
    def isWorthMore(next: LearnedPlan): Boolean =
      !succeeded || !plan.isSamePlan(next) || plan.learned.plus(Fresh).isBefore(next.learned)

    /** Whether it failed a short time ago. */
    def isPause(now: Instant): Boolean = !succeeded && !at.plus(Pause).isBefore(now)
  }

  private val writers = new WeakHashMap[SparkContext, PlanWriter]

  def of(context: SparkContext): PlanWriter = writers.synchronized {
    writers.computeIfAbsent(
      context,
      _ => {
        val writer = new PlanWriter(() => Instant.now())
        SparkInternals.listen(context, writer)
        writer
      }
    )
  }
}
