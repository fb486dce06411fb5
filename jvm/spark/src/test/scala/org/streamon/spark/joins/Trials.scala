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

object Trials {

  /** What a trial is, for people to read.
    *
    * @param restarts
    *   the micro-batches before which there is one
    * @param arrivals
    *   micro-batch by micro-batch
    */
  def text(
      seed: Long,
      sql: String,
      restarts: Iterable[Int],
      confs: Seq[(String, String)],
      arrivals: Seq[Seq[Any]]
  ): String =
    s"""-Dstreamon.seed=$seed replays it
       |$sql
       |${arrivals.map(_.size).mkString("+")} rows, restarts before ${restarts.mkString(",")}
       |${confs.map { case (k, v) => s"$k=$v" }.mkString(" ")}
       |${arrivals.map(_.mkString(" ")).mkString("\n")}""".stripMargin
}
