package org.streamon.lab

import java.util.SplittableRandom
import org.streamon.core.constraints._
import ConstraintStreams.constant

/** Table 6.1: processor time for a tuple, as a ratio to that of the join without constraints, over a million
  * tuples when the windows are full.
  */
private[lab] object ConstraintTimes extends Experiment {
  val figures: Seq[String] = Seq("T6.1")
  def steps(scale: Scale): Int = rows.size * ks.size

  private val tuples = 1000000

  /** The window of S3 in a graph where it has one tuple in eleven. */
  private val stable = 11 * ConstraintMemory.Window
  private val ks = Seq(0, 1000, 5000, 10000, 20000)

  /** The thesis's ratios. The labels of the last three rows are lost. */
  private val rows: Seq[(ConstraintWorkload, Seq[Double])] = Seq(
    ConstraintWorkload.rids -> Seq(.829, 1.546, 1.513, 1.571, 1.595),
    ConstraintWorkload.ca -> Seq(1.071, 1.142, 1.086, 1.132, 1.168),
    ConstraintWorkload.oap -> Seq(.995, 1.062, 1.089, 1.086, 1.065),
    ConstraintWorkload.oac -> Seq(1.109, 1.141, 1.141, 1.164, 1.182)
  )

  def run(scale: Scale, step: String => Unit): Report = {
    val share = ConstraintMemory.share(scale)
    val window = (ConstraintMemory.Window * share).toInt
    val found = rows.map { case (workload, thesis) =>
      import workload.{graph, kind}
      val measured = ks.map { k =>
        step(s"Table 6.1, ${kind.name}($k)")
        val random = new SplittableRandom(scale.seeds.head)
        val arrivals = workload.streams(((stable + tuples) * share).toInt, constant(k * share), random)
        val used = graph.edges.map(e => ConstraintLane.measured(graph, arrivals, kind, e.parent, e.child))
        Interleaved.nanos(
          Seq(
            () => new ConstraintLane(graph, window, Some(used)),
            () => new ConstraintLane(graph, window, None)
          ),
          arrivals,
          stable = (stable * share).toInt
        )
      }
      (kind, measured.map(m => m.head / m.last), measured.map(_.head.median), thesis)
    }
    def ratios(kind: ConstraintKind) = found.find(_._1 == kind).get._2
    def shown(kind: ConstraintKind) =
      ks.zip(ratios(kind)).map { case (k, r) => s"$k: $r" }.mkString(", ")
    Report(
      Seq(
        Figure(
          "T6.1",
          "Processor time for a tuple, k-Mon over the join without constraints",
          "k",
          ks.map(_.toString),
          found.flatMap { case (kind, ratio, nanos, thesis) =>
            Seq(
              Series(kind.name, "ratio of processor time", ratio.map(_.median)),
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
          ratios(ConstraintKind.RIDS).head.median < 1,
          shown(ConstraintKind.RIDS)
        ),
        Check.holds(
          "T6.1",
          "RIDS costs up to 60% more for k above 0",
          ratios(ConstraintKind.RIDS).tail.forall(_.median <= 1.6),
          shown(ConstraintKind.RIDS)
        )
      ).map(_.inTime) ++ Seq(ConstraintKind.CA, ConstraintKind.OAP, ConstraintKind.OAC).map(kind =>
        Check
          .holds(
            "T6.1",
            s"${kind.name} costs at most 18% more",
            ratios(kind).forall(_.median <= 1.18),
            shown(kind)
          )
          .inTime
      )
    )
  }
}
