package org.streamon.spark.expressions

import org.apache.spark.sql.catalyst.expressions._

/** Cuts a filter behind its last conjunct that is not deterministic. What is ahead of the cut stays as it
  * stands, so that such a conjunct sees exactly the rows that it sees in stock Spark: what `rand` draws for a
  * row depends on how many rows came before. A second cut would not do: generated code checks columns for
  * null late, interpreted code (which Spark falls back to) early, and goes on behind a conjunct that is null.
  *
  * Null checks of columns that are read ahead of the cut stay too, as the last of them: generated code makes
  * them before the first predicate that reads the column, wherever they are written.
  */
object Barriers extends PredicateHelper {

  /** The part that stays, if any, and the deterministic part behind it, if any. */
  def cut(condition: Expression): (Option[Expression], Option[Expression]) =
    if (condition.deterministic) (None, Some(condition))
    else {
      val conjuncts = splitConjunctivePredicates(condition)
      val (ahead, rest) = conjuncts.splitAt(conjuncts.lastIndexWhere(!_.deterministic) + 1)
      val read = AttributeSet(ahead.flatMap(_.references))
      val (checks, behind) = rest.partition {
        case IsNotNull(e) => e.references.subsetOf(read)
        case _            => false
      }
      ((ahead ++ checks).reduceLeftOption(And(_, _)), behind.reduceLeftOption(And(_, _)))
    }
}
