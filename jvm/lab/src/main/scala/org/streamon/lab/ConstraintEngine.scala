package org.streamon.lab

import org.streamon.core.constraints.MonitorSettings
import org.streamon.lab.baselines.constraints._

/** What works off a join of Chapter 6. */
private[lab] sealed abstract class ConstraintEngine {

  /** As its curves and checks are called. */
  def called(what: String): String

  /** Curves and checks under its name.
    *
    * @param line
    *   what they are called where it has several lines of them
    */
  final def told(
      curves: Seq[Series],
      checks: Seq[Check],
      line: String => String = identity
  ): (Seq[Series], Seq[Check]) = (
    curves.map(s => s.copy(name = called(line(s.name)))),
    checks.map(c => c.copy(claim = called(line(c.claim))))
  )

  /** Of constraints those that it may be told.
    *
    * @param ofStreams
    *   whether streams keep them, and not only the tuples that are in windows together
    */
  def relies(constraints: Seq[KConstraint], ofStreams: Boolean): Seq[KConstraint]

  /** Of all arrivals those that reach the join. */
  def reaching(arrivals: Array[Arriving]): Array[Arriving]

  /** The same with what chooses by savings whether No components are kept, if it has them. */
  def bySavings: Option[ConstraintEngine] = None

  /** @param constraints
    *   none for the join without
    * @param batch
    *   arrivals between two collections
    */
  def join(
      graph: DirectedJoinGraph,
      projected: IndexedSeq[Seq[Int]],
      constraints: Option[Seq[KConstraint]],
      monitor: MonitorSettings,
      batch: Int,
      sink: ResultSink
  ): WindowJoin
}

private[lab] object ConstraintEngine {

  /** k-Mon as it runs in Spark. Filters are below the join. */
  case object InSpark extends ConstraintEngine {
    override def called(what: String): String = what
    override def reaching(arrivals: Array[Arriving]): Array[Arriving] = arrivals.filter(_.passes)

    /** Where a key is over, all its rows go by that, those of other children too. */
    override def relies(constraints: Seq[KConstraint], ofStreams: Boolean): Seq[KConstraint] =
      if (ofStreams) constraints else Nil
    override def join(
        graph: DirectedJoinGraph,
        projected: IndexedSeq[Seq[Int]],
        constraints: Option[Seq[KConstraint]],
        monitor: MonitorSettings,
        batch: Int,
        sink: ResultSink
    ): WindowJoin = new KMonJoin(graph, projected, constraints, sink, monitor, batch)
  }

  /** The thesis's executor, and its join without constraints. Rows that fail their filter are its No
    * component's.
    */
  final case class OfThesis(policy: NoComponentPolicy) extends ConstraintEngine {
    override def called(what: String): String = s"$what (the thesis's executor)"
    override def reaching(arrivals: Array[Arriving]): Array[Arriving] = arrivals
    override def relies(constraints: Seq[KConstraint], ofStreams: Boolean): Seq[KConstraint] = constraints
    override def bySavings: Option[ConstraintEngine] = Some(OfThesis(NoComponentPolicy.BySavings()))
    override def join(
        graph: DirectedJoinGraph,
        projected: IndexedSeq[Seq[Int]],
        constraints: Option[Seq[KConstraint]],
        monitor: MonitorSettings,
        batch: Int,
        sink: ResultSink
    ): WindowJoin = {
      def settings = ExecutorSettings(collectEvery = batch, noComponents = policy, monitor = monitor)
      constraints.fold[WindowJoin](new SlidingWindowJoin(graph, projected, sink)) {
        new ThesisExecutor(graph, projected, _, sink, settings)
      }
    }
  }

  val Thesis: ConstraintEngine = OfThesis(NoComponentPolicy.UnlessAbsenceIsTold)

  val both: Seq[ConstraintEngine] = Seq(InSpark, Thesis)
}
