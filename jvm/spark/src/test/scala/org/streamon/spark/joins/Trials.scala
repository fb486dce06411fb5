package org.streamon.spark.joins

import scala.util.control.NonFatal

import org.scalatest.exceptions.TestFailedException
import org.scalatest.funsuite.AnyFunSuite

/** Runs generated tests one after the other; one that fails is shown whole. */
trait Trials { self: AnyFunSuite =>

  /** @param trial
    *   the one that a seed stands for
    */
  def eachOf[T](first: Long, trials: Int)(trial: Long => T)(check: T => Unit): Unit = {
    info(s"seeds from $first")
    for (seed <- first until first + trials) {
      val it = trial(seed)
      try check(it)
      catch {
        case e: TestFailedException => fail(s"${e.getMessage}\n$it", e)
        case NonFatal(e)            => fail(it.toString, e)
      }
    }
  }
}
