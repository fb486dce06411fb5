package org.streamon.lab

import java.util.SplittableRandom
import org.streamon.core.constraints._
import org.streamon.lab.baselines.constraints._
import ConstraintStreams._

/** Figure 6.17: CA(0) on S1.A and OAC(5,000) on S3.B, alone and together. */
private[lab] object ConstraintPair extends Experiment {
  val figures: Seq[String] = Seq("6.17")
  def steps(scale: Scale): Int = 2

  private val tuples = 600000

  def run(scale: Scale, step: String => Unit): Report = {
    val share = ConstraintMemory.share(scale)
    val window = (ConstraintMemory.Window * share).toInt
    val arrivals =
      runsAndScrambled((tuples * share).toInt, 5000 * share, new SplittableRandom(scale.seeds.head))
    val ca = KConstraint(ConstraintKind.CA, 0, 1, Some(0))
    val oac = ConstraintLane.measured(graphA, arrivals, ConstraintKind.OAC, 0, 2)
    def lane(
        used: Option[Seq[KConstraint]],
        policy: NoComponentPolicy = NoComponentPolicy.UnlessAbsenceIsTold
    ) =
      new ConstraintLane(graphA, window, used, policy)
    val kinds = Seq("CA" -> Seq(ca), "OAC" -> Seq(oac), "both" -> Seq(ca, oac))
    step("Figure 6.17, memory")
    val plans = kinds.map { case (name, used) => name -> lane(Some(used)) } ++ Seq(
      "both, No by savings" -> lane(Some(Seq(ca, oac)), NoComponentPolicy.BySavings()),
      "without constraints" -> lane(None)
    )
    val tracks = plans.map { case (name, l) =>
      name -> ConstraintLane.track(l, arrivals, ConstraintMemory.Points)
    }
    step("Figure 6.17, time")
    val times = Interleaved.nanos(
      kinds.map { case (_, used) => () => lane(Some(used)) },
      arrivals,
      stable = arrivals.length / 2
    )
    val level = tracks.map { case (name, t) => name -> t.level }.toMap
    val shown = tracks.map { case (name, t) => f"$name: ${t.level / share / 1e6}%.2f MB" }.mkString(", ")
    val took =
      kinds.map(_._1).zip(times).map { case (name, t) => s"$name: ${t.map(_ / 1e3)} us" }.mkString(", ")
    val x = (1 to ConstraintMemory.Points).map(p => (p * arrivals.length / ConstraintMemory.Points).toString)
    Report(
      Seq(
        Figure(
          "6.17",
          "CA on S1.A and OAC on S3.B",
          "tuples processed",
          x,
          tracks.map { case (name, t) => Series(name, "bytes", t.bytes) }
        )
      ),
      Seq(
        Check.holds(
          "6.17",
          "no result is missing",
          tracks.map(_._2.results).distinct.size == 1,
          tracks.map(_._2.results).mkString(", ")
        ),
        Check.holds(
          "6.17",
          "both together use the least memory",
          level("both") < math.min(level("CA"), level("OAC")),
          shown
        ),
        Check.holds(
          "6.17",
          "with No kept only where that saves, at most 10% more than the best of them",
          level("both, No by savings") <= 1.1 * math.min(level("both"), math.min(level("CA"), level("OAC"))),
          shown
        ),
        Check
          .holds(
            "6.17",
            "OAC takes less time for a tuple than CA, both take the most: 23.14, 25.2 and 28.22 us",
            times(1).median < times(0).median && times(0).median < times(2).median,
            took
          )
          .inTime
      )
    )
  }
}
