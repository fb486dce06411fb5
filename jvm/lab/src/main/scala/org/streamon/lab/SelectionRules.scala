package org.streamon.lab

import java.util.SplittableRandom

import org.streamon.core.selections.Selection.Compare
import org.streamon.core.selections.{Comparison, Construct, Selection}

/** A row of Table 1, which does not say more of the rules than this.
  *
  * @param predicates
  *   in all rules
  * @param ranges
  *   the share of them that are ranges; not in Table 1
  * @param topics
  *   of the rules, which the first attribute tells apart; 0 for rules without topics
  */
private[lab] final case class RuleShape(
    name: String,
    rules: Int,
    predicates: Int,
    attributes: Int,
    ranges: Double,
    topics: Int = 0
)

private[lab] object RuleShape {
  val Q1: RuleShape = RuleShape("Q1", 50, 204, 10, 0.3)
  val Q2: RuleShape = RuleShape("Q2", 50, 173, 15, 0.3)
  val Q3: Seq[RuleShape] = Seq(
    RuleShape("Q3-6", 30, 78, 6, 0.3),
    RuleShape("Q3-7", 30, 81, 7, 0.3),
    RuleShape("Q3-8", 35, 98, 8, 0.3),
    RuleShape("Q3-10", 40, 138, 10, 0.3),
    RuleShape("Q3-15", 50, 173, 15, 0.3)
  )

  /** Q1 with rules of four topics, each of which asks attributes of its own. */
  val Topics: RuleShape = Q1.copy(name = "Q1 by topic", topics = 4)

  def Q4(ranges: Double): RuleShape = RuleShape("Q4", 50, 362, 10, ranges)
}

/** Rules of the shape of Table 1. A rule compares each of its attributes once.
  *
  * @param rules
  *   by attribute
  */
private[lab] final class SelectionRules(
    val shape: RuleShape,
    val rules: IndexedSeq[Map[Int, Selection[Int]]]
) {
  val size: Int = rules.size

  /** By attribute, what the rules ask of it. */
  val asked: IndexedSeq[Map[Int, Selection[Int]]] = (0 until shape.attributes).map { a =>
    rules.zipWithIndex.collect { case (rule, j) if rule.contains(a) => j -> rule(a) }.toMap
  }

  val constructs: IndexedSeq[Construct[Int]] = asked.map(Construct(_, size, Long.MaxValue))

  def regions(row: Array[Int]): Array[Int] =
    Array.tabulate(shape.attributes)(a => constructs(a).constants.region(row(a)))

  /** The standard deviation of the share of the rules that can hold, over the regions of a construct; the
    * mean of all constructs.
    */
  def deviation: Double = Experiment.mean(constructs.map { c =>
    SelectionRules.deviation((0 until c.constants.ofNull).map(r => c(r).cardinality.toDouble / size))
  })
}

private[lab] object SelectionRules {

  /** Rules have two attributes, and more by chance. Attributes are used by rank, the k-th 1/k as often as the
    * first. A predicate is an equality, with any value of the domain, or a range, which begins at one end of
    * the domain and takes 5 to 40% of it. All ranges of an attribute begin at the same end. A rule of a topic
    * has an equality of the first attribute and that topic, and each topic has its own ranks.
    *
    * @param domains
    *   by attribute, how many values it has, from 0 on
    */
  def draw(shape: RuleShape, domains: IndexedSeq[Int], random: SplittableRandom): SelectionRules = {
    val n = shape.attributes
    val ranks = Array.fill(math.max(shape.topics, 1))(Shuffle(Array.range(1, n + 1), random))
    val isHigh = Array.fill(n)(random.nextBoolean())

    def predicate(a: Int): Selection[Int] =
      if (random.nextDouble() >= shape.ranges) Compare(Comparison.Equal, random.nextInt(domains(a)))
      else {
        val taken = math.max(1, math.round((0.05 + 0.35 * random.nextDouble()) * domains(a)).toInt)
        if (isHigh(a)) Compare(Comparison.AtLeast, domains(a) - taken) else Compare(Comparison.Less, taken)
      }

    def rule(width: Int): Map[Int, Selection[Int]] = {
      val topic = random.nextInt(ranks.length)
      val first =
        if (shape.topics == 0) Vector.empty
        else Vector[(Int, Selection[Int])](0 -> Compare(Comparison.Equal, topic))
      Iterator
        .iterate(first.map(_._1)) { chosen =>
          val left = (0 until n).filterNot(chosen.contains)
          chosen :+ draw(left, left.map(a => 1.0 / ranks(topic)(a)), random)
        }
        .drop(width - first.size)
        .next()
        .drop(first.size)
        .map(a => a -> predicate(a))
        .concat(first)
        .toMap
    }

    // Each attribute is to be used by some rule.
    Iterator
      .continually(new SelectionRules(shape, widths(shape, random).map(rule)))
      .find(_.asked.forall(_.nonEmpty))
      .get
  }

  private def widths(shape: RuleShape, random: SplittableRandom): IndexedSeq[Int] = {
    val all = Array.fill(shape.rules)(2)
    var more = shape.predicates - all.sum
    while (more > 0) {
      val j = random.nextInt(all.length)
      if (all(j) < shape.attributes) {
        all(j) += 1
        more -= 1
      }
    }
    all.toIndexedSeq
  }

  /** One of some values, with weights. */
  def draw(values: IndexedSeq[Int], weights: IndexedSeq[Double], random: SplittableRandom): Int = {
    val at = random.nextDouble() * weights.sum
    val place = weights.scanLeft(0.0)(_ + _).tail.indexWhere(_ > at)
    values(if (place < 0) values.size - 1 else place)
  }

  private def deviation(values: Seq[Double]): Double = {
    val mean = Experiment.mean(values)
    math.sqrt(Experiment.mean(values.map(v => (v - mean) * (v - mean))))
  }
}
