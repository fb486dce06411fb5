package org.streamon.core.joins

/** A pipeline put together: for each position what to look up, and when. Operators enforce all predicates
  * between their windows and what is joined by then.
  *
  * A look-up is done as soon as the values for it are there, not when its turn comes: once for all
  * combinations of the windows in between, and with nothing found these are not even begun. For one key
  * class, and for the root of a star, all look-ups are done when the row arrives. Only a stage that must see
  * every combination before it holds the later look-ups back.
  *
  * @param joined
  *   the inputs that are joined before the first stage, in sequence; the arriving row's comes first
  * @param stages
  *   by position
  * @param residuals
  *   the residual predicates of the graph that are enforced here, where all that they need is joined
  */
private[core] final class Pipeline(
    graph: JoinGraph,
    joined: IndexedSeq[Int],
    stages: IndexedSeq[Stage],
    residuals: IndexedSeq[Int]
) {
  val length: Int = stages.length

  /** Inputs joined before a position, in sequence and as bits. */
  private def sequence(position: Int): IndexedSeq[Int] = joined ++ stages.take(position).flatMap(_.windows)
  private def before(position: Int): Long = Bits.of(sequence(position))

  private def classesBefore(position: Int): Long = classesOf(sequence(position))

  private def classesOf(inputs: Seq[Int]): Long = inputs.foldLeft(0L)((set, i) => set | graph.classesOf(i))

  val steps: Array[Pipeline.Step] = {
    var held = 0
    Array.tabulate(length) { p =>
      val stage = stages(p)
      val classes =
        if (stage.windows.isEmpty) stage.classes else classesOf(stage.windows) & classesBefore(p)
      // The smallest prefix that has a value for each class.
      val ready =
        if (stage.isBarrier) p else (held to p).find(q => (classes & ~classesBefore(q)) == 0L).get
      if (stage.isBarrier) held = p + 1
      val own = Bits.of(stage.windows)
      val due = residuals.filter { k =>
        val inputs = graph.residuals(k)
        (inputs & own) != 0L && (inputs & ~own) != 0L && (inputs & ~before(p + 1)) == 0L
      }
      val (early, late) = due.partition(k => (graph.residuals(k) & ~(before(ready) | own)) == 0L)
      val from = suppliers(classes, p)
      val needs = due.map(graph.residuals).foldLeft(Bits.of(from.filter(_ >= 0).toIndexedSeq))(_ | _)
      new Pipeline.Step(
        stage.place,
        own,
        if (stage.isBarrier) -1L else needs,
        stage.isBarrier,
        stage.probe(classes, from, sequence(p)),
        ready,
        early.toArray,
        late.toArray
      )
    }
  }

  /** By position, the later positions whose look-up is done there, before the stages that follow; the first
    * array is for the arrival.
    */
  val opens: Array[Array[Int]] =
    Array.tabulate(length + 1)(ready => (0 until length).filter(steps(_).ready == ready).toArray)

  private def suppliers(classes: Long, end: Int): Array[Int] =
    Array.tabulate(graph.classes.size)(c =>
      if (Bits.contains(classes, c)) sequence(end).find(j => Bits.contains(graph.classesOf(j), c)).get else -1
    )
}

private[core] object Pipeline {

  /** Windows one after the other. */
  def of(graph: JoinGraph, input: Int, windows: Array[Int], synopses: Synopses): Pipeline =
    new Pipeline(
      graph,
      Vector(input),
      windows.toVector.map(new WindowStage(_, synopses)),
      graph.residuals.indices
    )

  /** One position.
    *
    * @param place
    *   where its row is kept among what is joined
    * @param windows
    *   that it joins, as bits
    * @param needs
    *   the inputs, as bits, whose rows decide what it finds; all for a barrier
    * @param isBarrier
    *   whether it must see all combinations of what is before it
    * @param ready
    *   how many stages must be joined before the look-up
    * @param early
    *   residual predicates that the first match found must satisfy: those over what is joined by then
    * @param late
    *   those which also need windows joined between look-up and turn
    */
  final class Step(
      val place: Int,
      val windows: Long,
      val needs: Long,
      val isBarrier: Boolean,
      val probe: Probe,
      val ready: Int,
      val early: Array[Int],
      val late: Array[Int]
  ) {

    /** The probe, where its rows stand for rows of several windows; null elsewhere. */
    val composites: CompositeProbe = probe match {
      case several: CompositeProbe => several
      case _                       => null
    }
  }
}
