package org.streamon.spark.learning

import scala.util.control.NonFatal

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.streamon.{LiveConf, SessionOfUser, StreamonConf}
import org.streamon.spark.metrics.FilterReport
import org.streamon.spark.util.LogOnce

/** The driver's memory of the operators with one structure. Tasks report what they have learned, and later
  * tasks start with it. The memory is shared within a session, or by all sessions that name the same folder.
  *
  * @param scope
  *   identifies the sessions that share it
  */
final class PlanMemory private (
    session: SparkSession,
    structure: Structure,
    scope: String,
    folder: Option[PlanFolder]
) {

  /** The plan to begin with.
    *
    * @param size
    *   how many conjuncts it must be for
    */
  def recall(size: Int): Option[LearnedPlan] =
    LearnedPlans.get(scope, structure).orElse(stored).filter(_.fits(size)).map(_.at(System.currentTimeMillis))

  /** Stores what an operator has learned so far. */
  def learn(report: FilterReport): Unit = LearnedPlan.of(report).foreach { learned =>
    val before = LearnedPlans.get(scope, structure).flatMap(_.routes)
    // A query with the same filter that cannot have these routes says nothing about them.
    val plan = learned.copy(routes = learned.routes.orElse(before.filter(LearnedPlan.isBeyond(_, report))))
    LearnedPlans.put(scope, structure, plan)
    folder.foreach(PlanWriter.of(session.sparkContext).write(_, structure, plan))
  }

  private def stored: Option[LearnedPlan] = {
    val plan = folder.flatMap(from => Misses.unlessKnown(scope, structure)(read(from)))
    plan.foreach(LearnedPlans.put(scope, structure, _))
    plan
  }

  private def read(from: PlanFolder): Option[LearnedPlan] =
    try from.read(structure)
    catch {
      case PlanFormat.OtherVersion(version) =>
        LogOnce.warn(
          session,
          s"The learned orders in ${from.path} have the version $version, but only ${PlanFormat.Version} is " +
            s"supported. $instead"
        )
        None
      // A file system may lack classes: no reason to fail the query.
      case error @ (NonFatal(_) | _: LinkageError) =>
        LogOnce.warn(session, s"The learned orders in ${from.path} cannot be read. $instead", error)
        None
    }

  private def instead = "Queries start with the orders that this application has learned, or without any."
}

object PlanMemory {

  /** None where learning is switched off. */
  def of(session: SparkSession, structure: Structure): Option[PlanMemory] = {
    val conf = LiveConf.of(session)
    Option.when(conf.getConf(StreamonConf.LearningEnabled)) {
      conf.getConf(StreamonConf.LearningFolder) match {
        case Some(path) =>
          val folder = PlanFolder(path)(() => session.sessionState.newHadoopConf())
          new PlanMemory(session, structure, s"folder $path", Some(folder))
        case None =>
          new PlanMemory(session, structure, s"session ${SessionOfUser.id(session)}", None)
      }
    }
  }
}
