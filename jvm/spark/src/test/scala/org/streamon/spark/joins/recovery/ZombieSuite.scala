package org.streamon.spark.joins.recovery

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.tags.Prove

/** A task that Spark has given up still runs, and commits, while and after another attempt at the same
  * partition and version of the state.
  *
  * The first attempt is held where it commits its state: just before the file is renamed, or just after. The
  * query is stopped; its task does not heed the interrupt. The query starts again from its checkpoint, and
  * does the micro-batch a second time, with stores of its own but the same registry of mirrors. Then the
  * first attempt goes on: it renames its file, over the other's under checkpoint format 1, and puts its
  * mirror where the other's is. That mirror must not be used, whatever state the query has by then; nor may
  * its file change what a later start reads.
  *
  * Within one run a second attempt in the same executor cannot get this far: it waits for the store of the
  * first.
  */
class ZombieSuite extends AnyFunSuite with RecoverySuite {

  private def returning(join: Disturbed, format: Seq[(String, String)], moment: Moment): Unit =
    trial(join, format) { trial =>
      for (later <- 0 to 2) {
        for (_ <- 0 until 3) trial.step()
        val held = new HeldTask(trial.next, moment)
        WatchedFiles.watching(held.watch) {
          try {
            trial.bring()
            assert(held.isHeld)
            trial.runs.restart()
            trial.runs.settle()
            for (_ <- 0 until later) trial.step()
            assert(held.isAlive)
          } finally held.letGo()
          assert(held.hasEnded)
        }
        val before = trial.rebuilt
        trial.step()
        assert(trial.rebuilt == before + 1, "its mirror is there, and is refused")
        for (_ <- 0 until 2) trial.step()
        trial.runs.restart()
      }
      trial.step()
    }

  for (format <- formats; moment <- Seq(new Moment.State(0, false), new Moment.State(0, true))) {
    // One moment under each of the formats of every day.
    val tags = if (moment.there == (format == formats(2))) tagsOf(format) else Seq(Prove)
    test(s"a task that was given up $moment comes back: ${nameOf(format)}", tags: _*)(
      returning(Disturbed.plain, format, moment)
    )
    for (join <- Disturbed.inRows +: Disturbed.constrained)
      test(s"the same $moment ${join.name}: ${nameOf(format)}", Prove)(returning(join, format, moment))
  }
}
