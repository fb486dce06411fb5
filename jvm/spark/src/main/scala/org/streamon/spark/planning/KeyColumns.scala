package org.streamon.spark.planning

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.{EqualNullSafe, EqualTo, Expression}
import org.streamon.core.joins.Equality

/** Numbers what each input is joined on: columns, and expressions over them, input by input. */
private[planning] final class KeyColumns(tree: JoinTree) {
  private val columns = tree.inputs.map(_ => ArrayBuffer.empty[Expression])

  def expression(input: Int, column: Int): Expression = columns(input)(column)

  /** The conjunct as an equality between two inputs, when it is one. */
  def equality(conjunct: JoinTree.Conjunct): Option[Equality] = conjunct.predicate match {
    case EqualTo(l, r)       => between(conjunct, l, r, nullSafe = false)
    case EqualNullSafe(l, r) => between(conjunct, l, r, nullSafe = true)
    case _                   => None
  }

  private def between(conjunct: JoinTree.Conjunct, l: Expression, r: Expression, nullSafe: Boolean) =
    (tree.inputsOf(l).toSeq, tree.inputsOf(r).toSeq) match {
      case (Seq(i), Seq(j)) if i != j && safe(conjunct, i, l) && safe(conjunct, j, r) =>
        Some(Equality(i, column(i, l), j, column(j, r), nullSafe))
      case _ => None
    }

  /** A key is evaluated on every row of its input. What may raise must not be, where Spark evaluates it only
    * on rows that another join has let through.
    */
  private def safe(conjunct: JoinTree.Conjunct, input: Int, e: Expression): Boolean =
    conjunct.alone(input) || !MayRaise(e)

  private def column(input: Int, e: Expression): Int =
    columns(input).indexWhere(_.semanticEquals(e)) match {
      case -1 =>
        columns(input) += e
        columns(input).size - 1
      case known => known
    }
}
