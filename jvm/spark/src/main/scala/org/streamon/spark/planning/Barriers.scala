package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions._

/** Cuts a filter at its conjuncts that are not deterministic. They keep their place and see exactly the rows
  * that they see in stock Spark: what `rand` draws for a row depends on how many rows came before.
  */
object Barriers extends PredicateHelper {

  /** The runs of conjuncts, in order: all of a run are deterministic, or it is to be left as it stands.
    *
    * @param generated
    *   whether stock Spark would generate code for the filter
    */
  def runs(condition: Expression, input: Seq[Attribute], generated: Boolean): Seq[Seq[Expression]] = {
    val conjuncts = splitConjunctivePredicates(condition)
    if (conjuncts.forall(_.deterministic)) Seq(conjuncts)
    else if (generated) withNullChecks(conjuncts, AttributeSet(input))
    else {
      // Interpreted code goes on behind a conjunct that is null, and draws for such a row too.
      val (upToLast, behind) = conjuncts.splitAt(conjuncts.lastIndexWhere(!_.deterministic) + 1)
      Seq(upToLast, behind).filter(_.nonEmpty)
    }
  }

  /** Generated code checks a column for null when the first predicate that reads it comes, and the rest at
    * the end.
    */
  private def withNullChecks(conjuncts: Seq[Expression], input: AttributeSet): Seq[Seq[Expression]] = {
    val (nullChecks, predicates) = conjuncts.partition(Conjunct.isNullCheck(_, input))
    val alike = predicates.foldLeft(Vector.empty[Vector[Expression]]) { (sofar, c) =>
      if (sofar.nonEmpty && sofar.last.last.deterministic == c.deterministic) sofar.init :+ (sofar.last :+ c)
      else sofar :+ Vector(c)
    }
    val placed = nullChecks.groupBy {
      case IsNotNull(a: Attribute) =>
        val first = alike.indexWhere(_.exists(_.references.contains(a)))
        if (first < 0) alike.size - 1 else first
      case _ => alike.size - 1
    }
    alike.zipWithIndex.map { case (run, i) => placed.getOrElse(i, Nil) ++ run }
  }
}
