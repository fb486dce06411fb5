package org.streamon.spark.learning

import org.apache.spark.sql.classic.SparkSession
import org.scalatest.Suite
import org.streamon.spark.SparkSuite

/** Executions of a filter of which the best order is not the written one, and what their counts say. */
trait Learners extends SparkSuite { self: Suite =>
  private val rowsIn = 40000
  private val written =
    Seq("initialOrder=written", "profilingBudget=1", "profilingProbability=0.2")

  /** The last of these drops nearly all rows. */
  protected val conditions = "s like '%' and b >= 0 and id % 1000 = 7"
  protected val right: Seq[String] = (7 until rowsIn by 1000).map(id => s"[$id]").sorted

  /** A session of its own, with the rows. */
  protected def newSession(settings: (String, String)*): SparkSession = {
    val session = spark.newSession()
    settings.foreach { case (key, value) => session.conf.set(key, value) }
    rowsOf(session)
    session
  }

  protected def rowsOf(session: SparkSession, id: String = "id", b: String = "id % 7"): Unit = session
    .range(0, rowsIn.toLong, 1, 2)
    .selectExpr(s"$id id", "cast(id as string) s", s"$b b")
    .localCheckpoint()
    .createOrReplaceTempView("numbers")

  protected def run(
      session: SparkSession,
      where: String = conditions,
      options: Seq[String] = Nil
  ): Execution = {
    val hint = (written ++ options).mkString("ADAPTIVE_FILTER('", "', '", "')")
    val frame = session.sql(s"select /*+ $hint */ id from numbers where $where")
    val found = rows(frame)
    val filter = theAdaptiveFilter(frame)
    val evaluations = filter.conjuncts.indices.map(q => filter.metrics(s"evaluations$q").value)
    Execution(found, evaluations.map(_.toDouble / rowsIn), filter.metrics("reorders").value)
  }
}

/** @param evaluations
  *   of each conjunct, a row that came in
  */
final case class Execution(rows: Seq[String], evaluations: Seq[Double], reorders: Long) {

  /** Whether it began with the order that it ended with, in which the last conjunct is first: few rows reach
    * the others.
    */
  def beganLearned: Boolean = reorders == 0 && evaluations.init.forall(_ < 0.5)

  def beganFresh: Boolean = reorders > 0
}
