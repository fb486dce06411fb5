package org.streamon.spark.equality

import scala.util.Random
import scala.util.control.NonFatal

import org.streamon.spark.SparkSuite

/** Compares adaptive filters with stock Spark on one trial: rows as a multiset, errors class by class. */
trait Equality { self: SparkSuite =>
  import Equality._

  private lazy val sandbox = new Sandbox(spark)

  val coverage = new Coverage

  /** What is wrong with this trial, if anything: of its ways to run, the first that differs from stock Spark.
    *
    * @param orders
    *   how many orders to force; all there are when they are no more
    */
  def difference(trial: Trial, orders: Int): Option[String] =
    try withConf(environment(trial) ++ trial.confs: _*)(sandbox.withTable(trial)(differenceIn(trial, orders)))
    catch { case NonFatal(e) => Some(s"the comparison itself fails: $e") }

  /** The trial with conjuncts taken away, as long as it still differs. */
  def smallest(trial: Trial, orders: Int): Trial =
    trial.conjuncts.indices
      .map(i => trial.copy(conjuncts = trial.conjuncts.patch(i, Nil, 1)))
      .find(t => t.conjuncts.nonEmpty && difference(t, orders).isDefined)
      .fold(trial)(smallest(_, orders))

  private def differenceIn(trial: Trial, orders: Int): Option[String] = {
    val query = trial.query
    val expected = withConf(Off)(Outcome.of(spark.sql(query)))
    lazy val written = withConf(Off)(new WrittenOrder(spark, sandbox, trial.deterministic))
    val random = new Random(trial.seed)

    // Spark may evaluate a conjunct below an aggregate or a join, on other rows and earlier: the oracle does not know
    // what it raises there. What raises the same needs no oracle.
    def withheld(ours: Outcome): Option[String] = (expected, ours) match {
      case _ if ours == expected => None
      case (Outcome.Rows(_), _)  => Some("not the rows of stock Spark")
      case (Outcome.Raised(error), _) if !written.errors.contains(error) =>
        Some(s"the oracle does not know the error of stock Spark: ${written.errors}")
      case (_, Outcome.Raised(error)) =>
        Option.when(!written.errors.contains(error))(s"errors of the written order are ${written.errors}")
      case (_, Outcome.Rows(_)) if !trial.isDeterministic => None
      case (_, Outcome.Rows(_))                           =>
        val ids = (written.passing + -1L).mkString(", ")
        val plausible =
          withConf(Off)(Outcome.of(spark.sql(trial.shape.query(trial.table, s"t.id IN ($ids)"))))
        if (ours != plausible) Some("not the rows that pass in written order")
        else
          Some(withConf(Off)(written.unmaskable))
            .filter(_.nonEmpty)
            .map(r => s"no conjunct rejects the rows $r")
    }

    def exact(ours: Outcome): Option[String] =
      Option.when(ours != expected)("strict, and not the outcome of stock Spark")

    def run(settings: Settings, wrong: Outcome => Option[String]): Option[String] = withConf(settings: _*) {
      var reevaluated, reorders = 0L
      val frame = spark.sql(query)
      val ours = Outcome.of(frame)
      val filters = adaptiveFilters(frame)
      reevaluated += filters.map(_.metrics("reevaluatedRows").value).sum
      reorders += filters.map(_.metrics("reorders").value).sum
      coverage.add(expected, filters.nonEmpty, reorders, reevaluated, filters.exists(_.forcedRoutes.nonEmpty))
      wrong(ours).map(problem => s"$problem: stock $expected, ours $ours\nwith ${settings.mkString(" ")}")
    }

    val ways = algorithms(random).map(run(_, withheld _)) ++
      LazyList.from(routed(query, random)).map(run(_, withheld _)) ++
      LazyList.from(forced(query, orders, random)).map(run(_, withheld _)) ++
      (if (trial.partitions == 1) strict(random).map(run(_, exact _)) else LazyList.empty)
    ways.flatten.headOption
  }

  private def algorithms(random: Random): LazyList[Settings] =
    LazyList.from(random.shuffle(Algorithms).take(2)).map(learning(_, random))

  private def strict(random: Random): LazyList[Settings] =
    LazyList(
      learning(random.shuffle(Algorithms).head, random) :+ ("spark.streamon.filter.errors" -> "strict")
    )

  /** Learns from few rows: every row is profiled, and the window is short. */
  private def learning(algorithm: String, random: Random): Settings = Seq(
    "spark.streamon.filter.algorithm" -> algorithm,
    "spark.streamon.filter.profilingProbability" -> random.shuffle(Seq("1.0", "0.3")).head,
    "spark.streamon.filter.profilingBudget" -> "1.0",
    "spark.streamon.filter.window" -> (4 + random.nextInt(40)).toString,
    "spark.streamon.filter.initialOrder" -> random.shuffle(Seq("cheapest", "written")).head
  )

  /** Every order of the largest adaptive filter of the query, or a random choice of them. */
  private def forced(query: String, orders: Int, random: Random): Seq[Settings] = {
    val sizes = adaptiveFilters(spark.sql(query)).map(_.conjuncts.size)
    val n = sizes.maxOption.getOrElse(0)
    val all =
      if (n <= 4) random.shuffle((0 until n).permutations.toSeq)
      else Seq.fill(orders)(random.shuffle((0 until n).toVector))
    all.take(if (n == 0) 0 else orders).map(o => Seq("spark.streamon.filter.forcedOrder" -> o.mkString(",")))
  }

  /** Random trees for the only adaptive filter of the query. */
  private def routed(query: String, random: Random): Seq[Settings] = {
    val algorithm = "spark.streamon.filter.algorithm" -> "query-mesh"
    withConf(algorithm)(adaptiveFilters(spark.sql(query))) match {
      case Seq(filter) =>
        val routes = new RandomRoutes(random)
        Seq.fill(2)(routes.of(filter)).flatten.map(text => Seq(algorithm, Forced -> text))
      case _ => Nil
    }
  }

  private def environment(trial: Trial): Settings = Seq(
    "spark.streamon.filter.mode" -> "always",
    "spark.sql.parquet.enableVectorizedReader" -> (trial.source != Source.RowParquet).toString,
    "spark.sql.leafNodeDefaultParallelism" -> trial.partitions.toString,
    "spark.sql.shuffle.partitions" -> trial.partitions.toString,
    // It would run the filter on a local relation while the query is planned again.
    "spark.sql.adaptive.optimizer.excludedRules" -> "org.apache.spark.sql.catalyst.optimizer.ConvertToLocalRelation"
  ) ++ SeededTrials.Settings
}

object Equality {
  type Settings = Seq[(String, String)]

  private val Off = "spark.streamon.enabled" -> "false"
  private val Forced = "spark.streamon.filter.routes.forced"
  private val Algorithms =
    Seq("a-greedy", "sweep", "independent", "local-swaps", "static", "query-mesh", "query-mesh")

  /** What the trials have come by: whoever relies on them can check that they are not hollow. */
  final class Coverage {
    var runs, adaptive, raising, reordering, reevaluating, routed = 0

    def add(
        expected: Outcome,
        isAdaptive: Boolean,
        reorders: Long,
        reevaluated: Long,
        isRouted: Boolean
    ): Unit = {
      if (isRouted) routed += 1
      runs += 1
      if (isAdaptive) adaptive += 1
      if (expected.isInstanceOf[Outcome.Raised]) raising += 1
      if (reorders > 0) reordering += 1
      if (reevaluated > 0) reevaluating += 1
    }

    override def toString: String =
      s"$runs runs, $adaptive of them adaptive, $raising where stock Spark raises, $reordering with a reorder, " +
        s"$reevaluating with a row re-evaluated, $routed with a forced tree"
  }
}
