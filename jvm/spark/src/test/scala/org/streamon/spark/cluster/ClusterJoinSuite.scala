package org.streamon.spark.cluster

import scala.util.Random

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.Replay
import org.streamon.spark.joins.recovery.{Disturbed, Moment, RecoverySuite}
import org.streamon.tags.Prove

/** Joins of three streams on a cluster of executors that are killed (SIGKILL), decommissioned, held and made
  * to fail in the middle of micro-batches, and replaced. The rows are those of a run that nobody disturbs.
  * `-Dstreamon.seed=N` draws the same disturbances.
  */
class ClusterJoinSuite extends AnyFunSuite with RecoverySuite with Disturbances {

  /** Where a task of the next micro-batch can be held: at a row that the join gives, and just before and
    * after a file of its state has its name.
    */
  private def places(trial: Trial): Seq[String] =
    Gate.Row +: (for (partition <- 0 to 1; there <- Seq(false, true))
      yield new Moment.State(partition, there).at(trial.next))

  /** A micro-batch that is disturbed, and one that is not. */
  private def disturb(trial: Trial, disturbance: Disturbance, place: String): Unit = {
    info(s"micro-batch ${trial.next}: $disturbance, $place")
    disturb(disturbance, place)(trial.bring()) {
      trial.runs.settle()
      trial.step()
    }
  }

  for (
    (join, format, disturbances, tags) <- Seq(
      (Disturbed.plain, formats.head, Seq(Kill -> 1, Fail -> 2, Decommission -> 0), Nil),
      (Disturbed.plain, formats.head, Seq(Kill -> 0, Overtake -> 1, Overtake -> 2), Seq(Prove)),
      (
        Disturbed.approximate,
        formats.last,
        Seq(Kill -> 0, Kill -> 1, Fail -> 2, Decommission -> 0, Overtake -> 1, Overtake -> 2),
        Seq(Prove)
      )
    )
  )
    test(s"${disturbances.map(_._1).mkString(", ")} ${join.name}, ${nameOf(format)}", tags: _*) {
      trial(join.through("gate"), format) { trial =>
        for (_ <- 0 until 4) trial.step()
        for ((disturbance, place) <- disturbances) disturb(trial, disturbance, places(trial)(place))
        trial.runs.restart()
        trial.step()
      }
    }

  test("executors that are killed or late, while the rows of an input follow several routes") {
    trial(Disturbed.routed.through("gate"), formats(1)) { trial =>
      for (_ <- 0 until 4) trial.step()
      for ((disturbance, place) <- Seq(Kill -> 0, Kill -> 2, Overtake -> 1))
        disturb(trial, disturbance, places(trial)(place))
      trial.runs.restart()
      trial.step()
    }
  }

  private val joins = Seq(
    Disturbed.plain,
    Disturbed.routed,
    Disturbed.inRows,
    Disturbed.exact,
    Disturbed.approximate,
    Disturbed.strict
  )
  for (join <- joins; format <- formats)
    test(s"many disturbances ${join.name}, ${nameOf(format)}", Prove) {
      val seed = Replay.seed.getOrElse(System.nanoTime())
      info(s"-Dstreamon.seed=$seed replays it")
      val random = new Random(seed)
      def one[T](among: Seq[T]): T = among(random.nextInt(among.size))
      trial(join.through("gate"), format) { trial =>
        for (_ <- 0 until 4) trial.step()
        for (_ <- 0 until 12) {
          // Before a disturbance, since the last run needs some micro-batches to show the sign of the join.
          if (random.nextInt(4) == 0) trial.runs.restart()
          // A task that is overtaken between rows ends at the next one, without a commit.
          val (disturbance, all) = (one(disturbances), places(trial))
          disturb(trial, disturbance, one(if (disturbance == Overtake) all.tail else all))
        }
        trial.step()
      }
    }
}
