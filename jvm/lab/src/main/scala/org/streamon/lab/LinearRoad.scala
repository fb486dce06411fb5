package org.streamon.lab

import org.streamon.core.constraints._
import org.streamon.lab.baselines.constraints._
import Experiment._

/** Table 6.3: the joins of Linear Road that constraints help, with and without. What the thesis does not
  * spell out of CarExitStr and NegTollStr is ours, as are the data: see [[LinearRoadStreams]].
  */
private[lab] object LinearRoad extends Experiment {
  val figures: Seq[String] = Seq("T6.3")
  def steps(scale: Scale): Int = queries.size

  /** In which time is measured. */
  private val Rounds = 7

  private def star(children: Int) =
    new DirectedJoinGraph(children + 1, (1 to children).map(c => ManyOne(0, 0, c, 0)))

  /** @param constraints
    *   that tuples keep while they are in their windows
    * @param ofStreams
    *   whether whole streams do, too
    * @param window
    *   in seconds; 0 where tuples leave by key
    * @param memory
    *   the thesis's ratio of memory, and of time
    */
  private final case class Query(
      name: String,
      graph: DirectedJoinGraph,
      projected: IndexedSeq[Seq[Int]],
      constraints: Seq[KConstraint],
      ofStreams: Boolean,
      events: LinearRoadStreams => Array[RoadEvent],
      window: Long,
      memory: Double,
      time: Double
  )

  private def rids(child: Int) = KConstraint(ConstraintKind.RIDS, 0, child, Some(0))
  private val one = IndexedSeq(Seq(0, 1), Seq(0))

  private val queries = Seq(
    Query("CurCarSeg", star(1), one, Nil, true, _.curCarSeg, 0, 0.09, 0.65),
    Query("AccSeg", star(2), one :+ Seq(0), Seq(rids(2)), false, _.accSeg, 0, 0.13, 0.99),
    Query("CarExitStr", star(1), one, Seq(rids(1)), false, _.carExit, 0, 0.10, 0.49),
    Query(
      "NegTollStr",
      star(1),
      IndexedSeq(Seq(0, 1), Seq(0, 1)),
      Seq(rids(1)),
      true,
      _.negToll,
      300,
      0.13,
      0.62
    )
  )

  /** A join at work. */
  private final class Run(query: Query, engine: ConstraintEngine, constraints: Option[Seq[KConstraint]]) {
    private var found = 0L
    private val sink: ResultSink = _ => found += 1
    // RIDS(0) is certain here: nothing is watched beyond.
    private val monitor = MonitorSettings(slack = 0, retention = 0)
    private val join =
      engine
        .join(query.graph, query.projected, constraints, monitor, ConstraintContender.CollectEvery, sink)
    var cpu = 0L
    def results: Long = found
    def bytes: Long = join.bytes

    def feed(events: Array[RoadEvent]): Unit = {
      val start = Contender.cpuNanos()
      var at = 0
      while (at < events.length) {
        feed(events(at))
        at += 1
      }
      cpu += Contender.cpuNanos() - start
    }

    private def feed(e: RoadEvent): Unit = {
      if (e.row == null) join.expireKey(e.input, 0, e.leaves)
      else join.arrive(e.input, e.row, e.passes, e.order)
      if (query.window > 0) for (i <- 0 until query.graph.n) join.expire(i, e.order - query.window)
    }
  }

  /** Mean memory and time of the latter half, with constraints over without; and the results of both. */
  private case class Found(memory: Double, time: Spread, kilobytes: Double, results: (Long, Long))

  private def measure(query: Query, engine: ConstraintEngine, streams: LinearRoadStreams): Found = {
    val events = query.events(streams)
    val rounds = (0 until Rounds).map { _ =>
      val kMon = new Run(query, engine, Some(engine.relies(query.constraints, query.ofStreams)))
      val plain = new Run(query, engine, None)
      val pieces = events.grouped(math.max(events.length / 60, 1)).toVector
      val (before, after) = pieces.splitAt(pieces.size / 2)
      for (piece <- before; run <- Seq(kMon, plain)) run.feed(piece)
      val start = (kMon.cpu, plain.cpu)
      val bytes = after.map { piece =>
        Seq(kMon, plain).foreach(_.feed(piece))
        (kMon.bytes.toDouble, plain.bytes.toDouble)
      }
      val (with_, without) = (mean(bytes.map(_._1)), mean(bytes.map(_._2)))
      val time = (kMon.cpu - start._1).toDouble / (plain.cpu - start._2)
      Found(with_ / without, Spread(Seq(time)), without / 1024, (kMon.results, plain.results))
    }
    // What is counted is the same in each.
    rounds.head.copy(time = Spread(rounds.flatMap(_.time.rounds)))
  }

  def run(scale: Scale, step: String => Unit): Report = {
    val streams = new LinearRoadStreams(scale.arrivals, 5, scale.seeds.head)
    val found = queries.map { query =>
      step(s"Table 6.3, ${query.name}")
      query -> ConstraintEngine.both.map(engine => engine -> measure(query, engine, streams)).toMap
    }
    val reports =
      ConstraintEngine.both.map(engine => report(engine, found.map { case (q, f) => q -> f(engine) }))
    val figure = Figure(
      "T6.3",
      "Linear Road, with constraints over without",
      "query",
      queries.map(_.name),
      Seq(
        Series("memory in the thesis", "ratio of bytes", queries.map(_.memory)),
        Series("time in the thesis", "ratio of processor time", queries.map(_.time))
      ) ++ reports.flatMap(_._1)
    )
    Report(Seq(figure), reports.flatMap(_._2))
  }

  /** Curves and checks of one engine. */
  private def report(engine: ConstraintEngine, found: Seq[(Query, Found)]): (Seq[Series], Seq[Check]) = {
    val curves = Seq(
      Series("memory", "ratio of bytes", found.map(_._2.memory)),
      Series("time", "ratio of processor time", found.map(_._2.time.median)),
      Series("without constraints", "KB", found.map(_._2.kilobytes))
    )
    val checks = Seq(
      Check.holds(
        "T6.3",
        "results stay exact",
        found.forall { case (_, f) => f.results._1 == f.results._2 && f.results._1 > 0 },
        found.map { case (q, f) => s"${q.name}: ${f.results._1} of ${f.results._2}" }.mkString(", ")
      ),
      Check.holds(
        "T6.3",
        "memory is at most 0.13 for every query (0.09 to 0.13)",
        found.forall(_._2.memory <= 0.13),
        found.map { case (q, f) => f"${q.name}: ${f.memory}%.3f" }.mkString(", ")
      ),
      Check
        .holds(
          "T6.3",
          "no query takes more time (0.49 to 0.99)",
          found.forall(_._2.time.median <= 1.0),
          found.map { case (q, f) => s"${q.name}: ${f.time}" }.mkString(", ")
        )
        .inTime
    )
    engine.told(curves, checks)
  }
}
