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
        val contenders = ConstraintEngine.both.flatMap { engine =>
          val used =
            graph.edges.map(e =>
              ConstraintContender.measured(engine, graph, arrivals, kind, e.parent, e.child)
            )
          Seq(Some(used), None).map(c => () => new ConstraintContender(engine, graph, window, c))
        }
        Interleaved(contenders, arrivals, stable = (stable * share).toInt).grouped(2).toSeq
      }
      ConstraintEngine.both.zipWithIndex.map { case (engine, e) =>
        val both = measured.map(_(e))
        engine -> Timed(
          kind,
          both.map(m => m.head.nanos / m.last.nanos),
          both.map(_.head.nanos.median),
          both.map(m => (m.head.results, m.last.results)),
          thesis
        )
      }.toMap
    }
    val reports = ConstraintEngine.both.map(engine => report(engine, found.map(_(engine))))
    Report(
      Seq(
        Figure(
          "T6.1",
          "Processor time for a tuple, k-Mon over the join without constraints",
          "k",
          ks.map(_.toString),
          reports.flatMap(_._1)
        )
      ),
      reports.flatMap(_._2)
    )
  }

  /** @param ratio
    *   of k-Mon to the join without, by k
    * @param nanos
    *   of k-Mon
    * @param results
    *   of k-Mon, and of the join without
    * @param thesis
    *   its ratios
    */
  private final case class Timed(
      kind: ConstraintKind,
      ratio: Seq[Spread],
      nanos: Seq[Double],
      results: Seq[(Long, Long)],
      thesis: Seq[Double]
  )

  /** Curves and checks of one engine. */
  private def report(engine: ConstraintEngine, found: Seq[Timed]): (Seq[Series], Seq[Check]) = {
    def ratios(kind: ConstraintKind) = found.find(_.kind == kind).get.ratio
    def shown(kind: ConstraintKind) =
      ks.zip(ratios(kind)).map { case (k, r) => s"$k: $r" }.mkString(", ")
    val curves = found.flatMap(t =>
      Seq(
        Series(t.kind.name, "ratio of processor time", t.ratio.map(_.median)),
        Series(t.kind.name, "ratio in the thesis", t.thesis),
        Series(t.kind.name, "nanoseconds of processor time", t.nanos)
      )
    )
    val exact = Check.holds(
      "T6.1",
      "no result is missing",
      found.flatMap(_.results).forall { case (kMon, plain) => kMon == plain && plain > 0 },
      found
        .map(t =>
          s"${t.kind.name}: " + t.results.map { case (kMon, plain) => s"$kMon of $plain" }.mkString(", ")
        )
        .mkString("; ")
    )
    val checks = Seq(
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
    engine.told(curves, exact +: checks)
  }
}
