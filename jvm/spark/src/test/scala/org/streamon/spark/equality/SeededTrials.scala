package org.streamon.spark.equality

import scala.util.control.NonFatal

import org.scalacheck.Gen
import org.scalacheck.rng.Seed
import org.scalatest.exceptions.StackDepthException
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite

/** Trials over generated tables, each by a seed that replays it. */
trait SeededTrials extends SparkSuite { self: AnyFunSuite =>

  /** @param seed
    *   of all that is generated
    */
  protected def trial(seed: Long): Unit

  /** Trials of so many seeds, from the first on. */
  protected def trials(first: Long, count: Int): Unit = {
    info(s"seeds from $first")
    new Sandbox(spark)
    withConf(SeededTrials.Settings: _*) {
      for (seed <- first until first + count)
        try trial(seed)
        catch {
          case told: StackDepthException => throw told
          case NonFatal(error)           => fail(s"$error\n-Dstreamon.seed=$seed replays it", error)
        }
    }
  }
}

object SeededTrials {

  /** Spark runs with them. */
  val Settings: Seq[(String, String)] = Seq(
    "spark.sql.session.timeZone" -> "UTC",
    "spark.sql.datetime.java8API.enabled" -> "true",
    // It would evaluate conditions on a local relation while the query is planned.
    "spark.sql.optimizer.excludedRules" -> "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation"
  )

  /** What a seed stands for. */
  def generated[T](by: Gen[T], seed: Long): T =
    by.pureApply(Gen.Parameters.default.withInitialSeed(seed), Seed(seed))
}
