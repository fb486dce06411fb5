package org.streamon.lab

import java.util.SplittableRandom
import org.streamon.core.constraints._
import org.streamon.lab.baselines.constraints._
import ConstraintStreams._

/** Figure 6.17: CA(0) on S1.A and OAC(5,000) on S3.B, alone and together. */
private[lab] object ConstraintPair extends Experiment {
  val figures: Seq[String] = Seq("6.17")
  def steps(scale: Scale): Int = 2 * ConstraintEngine.both.size

  private val tuples = 600000

  def run(scale: Scale, step: String => Unit): Report = {
    val share = ConstraintMemory.share(scale)
    val arrivals =
      runsAndScrambled((tuples * share).toInt, 5000 * share, new SplittableRandom(scale.seeds.head))
    val reports = ConstraintEngine.both.map { engine =>
      step(engine.called("Figure 6.17"))
      val ca = KConstraint(ConstraintKind.CA, 0, 1, Some(0))
      val oac = ConstraintContender.measured(engine, graphA, arrivals, ConstraintKind.OAC, 0, 2)
      val kinds = Seq("CA" -> Seq(ca), "OAC" -> Seq(oac), "both" -> Seq(ca, oac))
      val window = (ConstraintMemory.Window * share).toInt
      def contender(used: Option[Seq[KConstraint]], by: ConstraintEngine) =
        new ConstraintContender(by, graphA, window, used)
      val plans = kinds.map { case (name, used) => name -> contender(Some(used), engine) } ++
        engine.bySavings.map("both, No by savings" -> contender(Some(Seq(ca, oac)), _)) :+
        "without constraints" -> contender(None, engine)
      val tracks = plans.map { case (name, l) =>
        name -> ConstraintContender.track(l, arrivals, ConstraintMemory.Points)
      }
      step(engine.called("Figure 6.17, time"))
      val times = Interleaved(
        kinds.map { case (_, used) => () => contender(Some(used), engine) },
        arrivals,
        stable = arrivals.length / 2
      ).map(_.nanos)
      engine.told(
        tracks.map { case (name, t) => Series(name, "bytes", t.bytes) },
        checks(tracks, kinds.map(_._1).zip(times), share)
      )
    }
    val x = (1 to ConstraintMemory.Points).map(p => (p * arrivals.length / ConstraintMemory.Points).toString)
    val figure =
      Figure("6.17", "CA on S1.A and OAC on S3.B", "tuples processed", x, reports.flatMap(_._1))
    Report(Seq(figure), reports.flatMap(_._2))
  }

  private def checks(
      tracks: Seq[(String, ConstraintContender.Track)],
      times: Seq[(String, Spread)],
      share: Double
  ): Seq[Check] = {
    val level = tracks.map { case (name, t) => name -> t.level }.toMap
    val shown = tracks.map { case (name, t) => f"$name: ${t.level / share / 1e6}%.2f MB" }.mkString(", ")
    val took = times.map { case (name, t) => s"$name: ${t.map(_ / 1e3)} us" }.mkString(", ")
    val (ca, oac, both) = (times(0)._2.median, times(1)._2.median, times(2)._2.median)
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
      )
    ) ++ level.get("both, No by savings").map { chosen =>
      Check.holds(
        "6.17",
        "with No kept only where that saves, at most 10% more than the best of them",
        chosen <= 1.1 * math.min(level("both"), math.min(level("CA"), level("OAC"))),
        shown
      )
    } :+ Check
      .holds(
        "6.17",
        "OAC takes less time for a tuple than CA, both take the most: 23.14, 25.2 and 28.22 us",
        oac < ca && ca < both,
        took
      )
      .inTime
  }
}
