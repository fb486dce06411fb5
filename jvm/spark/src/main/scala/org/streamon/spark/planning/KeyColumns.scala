package org.streamon.spark.planning

import scala.collection.mutable.ArrayBuffer

import org.apache.spark.sql.catalyst.expressions.{EqualNullSafe, EqualTo, Expression}
import org.apache.spark.sql.catalyst.util.UnsafeRowUtils
import org.streamon.core.joins.Equality
import org.streamon.spark.expressions.MayRaise
import org.streamon.spark.logical.OrderedInput

/** Numbers the columns and expressions that each input is joined on. */
private[planning] final class KeyColumns(tree: JoinTree) {
  import KeyColumns._

  private val columns = tree.inputs.map(_ => ArrayBuffer.empty[Expression])
  private val pairs = tree.conjuncts.flatMap(pair)

  /** The conjuncts that equate two inputs by what can serve as a key.
    *
    * A key is evaluated on every row of its input. What may raise must not be, where Spark evaluates it only
    * on rows that another join has let through, or a filter that counts only above a window of rows. Nor is
    * it a key where equal values may differ in their bytes.
    */
  val equalities: IndexedSeq[(JoinTree.Conjunct, Equality)] = {
    val onEveryRow =
      for {
        p <- pairs
        side <- Seq(p.left, p.right) if p.conjunct.alone(side.input)
      } yield Side(side.input, side.key.canonicalized)
    val filtered = tree.inputs.indices.filter { i =>
      tree.inputs(i).isInstanceOf[OrderedInput] && tree.conjuncts.exists(c =>
        tree.inputsOf(c.predicate) == Set(i)
      )
    }
    def safe(side: Side) = !MayRaise(side.key) ||
      onEveryRow.contains(side.copy(key = side.key.canonicalized)) && !filtered.contains(side.input)
    pairs.collect {
      case p if stable(p.left) && stable(p.right) && safe(p.left) && safe(p.right) =>
        p.conjunct -> equality(p)
    }
  }

  /** What would serve as keys but for their types. */
  def unstable: Seq[(Expression, Equality)] =
    pairs.filterNot(p => stable(p.left) && stable(p.right)).map(p => p.left.key -> equality(p))

  private def stable(side: Side) = UnsafeRowUtils.isBinaryStable(side.key.dataType)

  private def equality(p: Pair) =
    Equality(p.left.input, column(p.left), p.right.input, column(p.right), p.nullSafe)

  def expression(input: Int, column: Int): Expression = columns(input)(column)

  private def pair(conjunct: JoinTree.Conjunct): Option[Pair] = {
    def between(l: Expression, r: Expression, nullSafe: Boolean) =
      (tree.inputsOf(l).toSeq, tree.inputsOf(r).toSeq) match {
        case (Seq(i), Seq(j)) if i != j => Some(Pair(conjunct, Side(i, l), Side(j, r), nullSafe))
        case _                          => None
      }
    conjunct.predicate match {
      case EqualTo(l, r)       => between(l, r, nullSafe = false)
      case EqualNullSafe(l, r) => between(l, r, nullSafe = true)
      case _                   => None
    }
  }

  private def column(side: Side): Int = {
    val known = columns(side.input)
    known.indexWhere(_.semanticEquals(side.key)) match {
      case -1 =>
        known += side.key
        known.size - 1
      case at => at
    }
  }
}

private object KeyColumns {
  private final case class Side(input: Int, key: Expression)

  /** A conjunct that equates what two inputs have. */
  private final case class Pair(conjunct: JoinTree.Conjunct, left: Side, right: Side, nullSafe: Boolean)
}
