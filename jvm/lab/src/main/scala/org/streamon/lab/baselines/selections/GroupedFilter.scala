package org.streamon.lab.baselines.selections

import org.streamon.core.selections.Selection.{AllOf, Compare}
import org.streamon.core.selections.{Comparison, RuleSet, Selection}

/** The grouped filter of one attribute (S. Madden et al.: Continuously adaptive continuous queries over
  * streams, SIGMOD 2002): a hash table of equalities, and comparisons in the sequence of their constants, of
  * which those that hold are gone through one by one.
  *
  * @param selections
  *   by rule, comparisons or conjunctions of comparisons, for the rules that ask the attribute
  * @param size
  *   number of rules
  */
final class GroupedFilter(selections: Map[Int, Selection[Int]], size: Int) {
  import GroupedFilter.Predicate

  private val predicates: Vector[Predicate] = selections.toVector.flatMap { case (rule, selection) =>
    comparisons(selection).map(c => Predicate(rule, c.comparison, c.constant))
  }
  private val equal = of(Comparison.Equal).groupBy(_.constant)
  private val notEqual = of(Comparison.NotEqual)

  // Of one constant, that which holds of the constant too comes first.
  private val above =
    of(Comparison.AtLeast, Comparison.Greater).sortBy(p => (p.constant, p.comparison == Comparison.Greater))
  private val below =
    of(Comparison.AtMost, Comparison.Less).sortBy(p => (-p.constant, p.comparison == Comparison.Less))

  private val wanted, held = new Array[Int](size)
  predicates.foreach(p => wanted(p.rule) += 1)
  private var entries = 0L

  /** Predicates that values have visited. */
  def visited: Long = entries

  /** The rules that can hold of a value, or of a null. */
  def apply(value: Option[Int]): RuleSet = {
    java.util.Arrays.fill(held, 0)
    value.foreach { v =>
      equal.getOrElse(v, Vector.empty).foreach(hold)
      notEqual.foreach(p => if (p.constant == v) entries += 1 else hold(p))
      above.iterator.takeWhile(p => p.constant < v || reaches(p, v)).foreach(hold)
      below.iterator.takeWhile(p => p.constant > v || reaches(p, v)).foreach(hold)
    }
    RuleSet.of(size, (0 until size).filter(rule => held(rule) == wanted(rule)): _*)
  }

  private def hold(predicate: Predicate): Unit = {
    entries += 1
    held(predicate.rule) += 1
  }

  /** Of its own constant. */
  private def reaches(predicate: Predicate, value: Int): Boolean = predicate.constant == value &&
    (predicate.comparison == Comparison.AtLeast || predicate.comparison == Comparison.AtMost)

  private def of(kinds: Comparison*): Vector[Predicate] = predicates.filter(p => kinds.contains(p.comparison))

  private def comparisons(selection: Selection[Int]): Seq[Compare[Int]] = selection match {
    case c: Compare[Int] => Seq(c)
    case AllOf(parts)    => parts.flatMap(comparisons)
    case other           =>
      throw new IllegalArgumentException(s"$other: comparisons and conjunctions of them are allowed")
  }
}

private object GroupedFilter {
  final case class Predicate(rule: Int, comparison: Comparison, constant: Int)
}
