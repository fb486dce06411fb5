package org.streamon.core.lab

import java.util.SplittableRandom
import org.streamon.core.constraints._
import ConstraintStreams._

/** Table 6.1: processor time for a tuple, as a ratio to that of the join without constraints. */
private[lab] object ConstraintTimes extends Experiment {
  val figures: Seq[String] = Seq("T6.1")
  def steps(scale: Scale): Int = rows.size * ks.size

  private val tuples = 300000
  private val ks = Seq(0, 1000, 5000, 10000, 20000)
  private type Streams = (Int, Double, SplittableRandom) => Array[Arriving]

  /** Kind, graph, streams, and the thesis's ratios. The labels of the last three rows are lost. */
  private val rows: Seq[(ConstraintKind, DirectedJoinGraph, Streams, Seq[Double])] = Seq(
    (
      ConstraintKind.RIDS,
      graphA,
      (n, k, r) => rids(n, constant(k), r),
      Seq(.829, 1.546, 1.513, 1.571, 1.595)
    ),
    (
      ConstraintKind.CA,
      graphB,
      (n, k, r) => drifting(n, constant(k), r),
      Seq(1.071, 1.142, 1.086, 1.132, 1.168)
    ),
    (
      ConstraintKind.OAP,
      graphB,
      (n, k, r) => drifting(n, constant(k), r),
      Seq(.995, 1.062, 1.089, 1.086, 1.065)
    ),
    (
      ConstraintKind.OAC,
      graphC,
      (n, k, r) => scrambledChildren(n, k, r),
      Seq(1.109, 1.141, 1.141, 1.164, 1.182)
    )
  )

  def run(scale: Scale, step: String => Unit): Report = {
    val share = ConstraintMemory.share(scale)
    val window = (ConstraintMemory.Window * share).toInt
    val found = rows.map { case (kind, graph, streams, thesis) =>
      val measured = ks.map { k =>
        step(s"Table 6.1, ${kind.name}($k)")
        val arrivals = streams((tuples * share).toInt, k * share, new SplittableRandom(scale.seeds.head))
        val used = graph.edges.map(e => ConstraintLane.measured(graph, arrivals, kind, e.parent, e.child))
        Interleaved.nanos(
          Seq(
            () => new ConstraintLane(graph, window, Some(used)),
            () => new ConstraintLane(graph, window, None)
          ),
          arrivals
        )
      }
      (kind, measured.map(m => m.head / m.last), measured.map(_.head), thesis)
    }
    def shown(kind: ConstraintKind) =
      ks.zip(found.find(_._1 == kind).get._2).map { case (k, r) => f"$k: $r%.2f" }.mkString(", ")
    def ratios(kind: ConstraintKind) = found.find(_._1 == kind).get._2
    Report(
      Seq(
        Figure(
          "T6.1",
          "Processor time for a tuple, k-Mon over the join without constraints",
          "k",
          ks.map(_.toString),
          found.flatMap { case (kind, ratio, nanos, thesis) =>
            Seq(
              Series(kind.name, "ratio of processor time", ratio),
              Series(kind.name, "ratio in the thesis", thesis),
              Series(kind.name, "nanoseconds of processor time", nanos)
            )
          }
        )
      ),
      Seq(
        Check.holds(
          "T6.1",
          "RIDS(0) takes less time than the join without constraints (0.83)",
          ratios(ConstraintKind.RIDS).head < 1,
          shown(ConstraintKind.RIDS),
          "upkeep of the windows is most of the work in both"
        ),
        Check.holds(
          "T6.1",
          "RIDS costs up to 60% more for k above 0",
          ratios(ConstraintKind.RIDS).tail.forall(_ <= 1.7),
          shown(ConstraintKind.RIDS),
          "keys that wait are looked up at every arrival"
        )
      ) ++ Seq(ConstraintKind.CA, ConstraintKind.OAP, ConstraintKind.OAC).map(kind =>
        Check.holds(
          "T6.1",
          s"${kind.name} costs at most 18% more",
          ratios(kind).forall(_ <= 1.18),
          shown(kind),
          "a join in memory is quick beside what is counted and ordered at every arrival"
        )
      )
    )
  }
}
