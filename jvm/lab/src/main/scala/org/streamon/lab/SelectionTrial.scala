package org.streamon.lab

import java.util.SplittableRandom

import org.streamon.core.selections._
import org.streamon.lab.baselines.selections.{ExactSequences, GroupedFilter}

import SelectionContender._

/** All ways of ordering the constructs, on the same rules and rows.
  *
  * @param deviation
  *   standard deviation of the rules
  * @param work
  *   by name, on the rows that are measured
  * @param predicates
  *   of grouped filters, visited for each row in the best fixed sequence
  */
private[lab] final case class SelectionTrial(
    deviation: Double,
    work: Map[String, SelectionWork],
    predicates: Double
) {
  def cost(name: String): Double = work(name).cost

  /** Cost as a share of another's. */
  def ratio(name: String, other: String): Double = cost(name) / cost(other)

  /** Share of the rows of which no rule holds. */
  def dropped: Double = work(Best).dropped.toDouble / work(Best).rows
}

private[lab] object SelectionTrial {

  /** Streams of so many attributes. */
  type Streams = (Int, SplittableRandom) => SelectionStreams

  /** As in Figures 6 and 7. The period is the default of both loops. */
  val Log: SequenceSettings = SequenceSettings(threshold = 0.0)
  val Periods: PeriodSettings = PeriodSettings(threshold = 0.0)

  /** Rows before those that are measured: two periods. */
  private val Warm = 2 * Log.period

  /** Rows of those measured in which the best and the worst fixed sequence are found. */
  private val Sample = 1000

  def run(shape: RuleShape, make: Streams, scale: Scale, seed: Long): SelectionTrial = {
    val random = new SplittableRandom(seed)
    val streams = make(shape.attributes, random)
    val rules = SelectionRules.draw(shape, streams.domains, random)
    val values = streams.rows(Warm + 2 * scale.arrivals, random)
    val (warm, measured) = values.map(rules.regions(_)).splitAt(Warm)
    val sampled = measured.indices.by(measured.length / Sample)
    val exact = new ExactSequences(
      new SampledRegions(rules.size, rules.constructs, sampled.map(measured(_)))
    )
    val all = contenders(rules, exact.best, exact.worst, seed)
    all.foreach { contender =>
      contender.feed(warm)
      contender.mark()
      contender.feed(measured)
    }
    val visited = predicates(rules, sampled.map(k => values(Warm + k)), exact.best)
    SelectionTrial(rules.deviation, all.map(c => c.name -> c.since).toMap, visited)
  }

  private def contenders(rules: SelectionRules, best: IndexedSeq[Int], worst: IndexedSeq[Int], seed: Long) = {
    val first = Sequence(rules.constructs.indices)
    Seq(
      new Routing(rules, seed),
      new Fixed(Worst, rules, Sequence(worst)),
      new Fixed(Best, rules, Sequence(best)),
      new ByLog(Macro, rules, first, Log.copy(hybrid = false)),
      new ByLog(Hybrid, rules, first, Log),
      new ByPeriods(MacroPeriods, rules, first, Periods.copy(hybrid = false)),
      new ByPeriods(HybridPeriods, rules, first, Periods)
    )
  }

  private def predicates(rules: SelectionRules, rows: Seq[Array[Int]], sequence: Seq[Int]): Double = {
    val filters = rules.asked.map(new GroupedFilter(_, rules.size))
    for (row <- rows)
      sequence.foldLeft(RuleSet.all(rules.size)) { (alive, a) =>
        if (!alive.isEmpty) alive.retainAll(filters(a)(Some(row(a))))
        alive
      }
    filters.map(_.visited).sum.toDouble / rows.size
  }
}
