package org.streamon.spark.joins.recovery

import java.io.IOException
import java.util.concurrent.atomic.AtomicInteger

import scala.util.Try

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.execution.joins.MirrorRegistry
import org.streamon.tags.Prove

/** Failures made on purpose, in one executor that lives on with its mirrors and its stores: files of the
  * checkpoint that cannot be renamed, or whose writer fails just after; a task that fails half-way through
  * its rows; mirrors lost. Whether Spark then tries the task again, or the query is started again, the rows
  * are those of Spark's batch join.
  */
class FailureSuite extends AnyFunSuite with RecoverySuite {

  /** Fails `times` times at a moment of the next micro-batch, and starts again what that has ended. */
  private def failing(trial: Trial, moment: Moment, times: Int): Unit = {
    val (batch, failed) = (trial.next, new AtomicInteger)
    def fail(path: String, there: Boolean): Unit =
      if (there == moment.there && moment.is(batch, path) && failed.getAndIncrement() < times)
        throw new IOException(s"failed on purpose: $moment of batch $batch")
    WatchedFiles.watching(fail) {
      val ended = Try(trial.step()).isFailure
      assert(failed.get > 0, moment)
      val retried = moment.isInstanceOf[Moment.State] && times < 3
      assert(ended != retried, s"$moment, $times times")
    }
    if (!trial.runs.query.isActive) trial.runs.restart()
    trial.runs.settle()
  }

  private def renaming(join: Disturbed, format: Seq[(String, String)]): Unit =
    trial(join, format) { trial =>
      trial.step()
      for (moment <- Moment.all; times <- if (moment.isInstanceOf[Moment.State]) Seq(1, 3) else Seq(1)) {
        failing(trial, moment, times)
        trial.step()
      }
    }

  for (format <- formats) {
    test(s"a rename fails, or what comes after it: ${nameOf(format)}", tagsOf(format): _*)(
      renaming(Disturbed.plain, format)
    )
    for (join <- Disturbed.inRows +: Disturbed.constrained)
      test(s"the same ${join.name}: ${nameOf(format)}", Prove)(renaming(join, format))
  }

  test("a task fails half-way: what it did to its mirror does not count") {
    spark.udf.register("fuse", (k: Int) => Fuse(k))
    trial(Disturbed.plain.through("fuse")) { trial =>
      for (_ <- 0 until 5) trial.step()
      val before = trial.rebuilt
      for (row <- Seq(3, 20, 1)) {
        Fuse.set(row)
        trial.step()
        assert(Fuse.blown)
      }
      assert(trial.rebuilt - before == 3)
      trial.step()
    }
  }

  for (join <- Disturbed.plain +: Disturbed.constrained)
    test(s"mirrors lost between micro-batches are read anew ${join.name}".trim) {
      trial(join) { trial =>
        for (batch <- 0 until 16) {
          if (batch % 5 == 1) MirrorRegistry.clear()
          trial.step()
        }
        assert(trial.rebuilt == 3 * 2)
      }
    }
}
