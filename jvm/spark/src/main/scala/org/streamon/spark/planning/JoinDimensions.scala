package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions.{Expression, Literal}
import org.apache.spark.sql.streamon.SparkInternals
import org.streamon.spark.execution.state.{JoinShape, StateBounds}
import org.streamon.spark.logical.OrderedInput
import org.streamon.core.joins.{Bits, Equality, JoinGraph, KeyClass, Shares}

/** The keys by which the inputs of an MJoin are joined. Each key is a dimension.
  *
  * Equalities make keys. If an input has several columns for one key, the equalities of its further columns
  * become residual conditions. Rows are not partitioned by times, since all rows of one moment would be in
  * one partition. Inputs that are joined only by other conditions, such as ranges, get a constant as their
  * key: each row meets all rows of the other input, in every partition that has some. Spark has no stream
  * joins for such inputs. If Spark has joins for the whole tree, its plan is better and is kept.
  */
private[planning] final class JoinDimensions(tree: JoinTree, columns: KeyColumns) {
  private val n = tree.inputs.size
  private val byKeys = new JoinGraph(n, columns.equalities.map(_._2))

  private val placed =
    Shares.dimensions(byKeys, c => parts(byKeys.classes(c)).flatten.exists(StateBounds.isEventTime))

  private val byValue = {
    val others = byKeys.classes.indices.diff(placed.flatten).groupBy(byKeys.classes(_).holders).values.toSeq
    (placed ++ others.sortBy(_.head)).map(_.map(byKeys.classes))
  }

  private val compared: Seq[Set[Int]] =
    if (tree.hashable && !tree.inputs.exists(_.isInstanceOf[OrderedInput])) Nil
    else {
      val wanted = tree.conjuncts.map(c => tree.inputsOf(c.predicate)).filter(_.size > 1).sortBy(_.size)
      // No more of them than it takes: keys are the better way.
      wanted.foldLeft(Vector.empty[Set[Int]]) { (sofar, several) =>
        if (byKeys.links(Bits.of(several), sofar.map(Bits.of))) sofar else sofar :+ several
      }
    }

  /** How many dimensions, of the first, say in which partition a row is. */
  val placing: Int = placed.size

  /** By dimension, by input: the parts of its key. */
  val keys: Seq[Seq[Seq[Expression]]] =
    byValue.map(_.map(parts).transpose.map(_.flatten.map(SparkInternals.normalizeFloats))) ++
      compared.map(several => tree.inputs.indices.map(i => if (several(i)) Seq(Literal.TrueLiteral) else Nil))

  /** By dimension, by part: whether null equals null. */
  val nullSafe: Seq[Seq[Boolean]] = byValue.map(_.map(_.nullSafe)) ++ compared.map(_ => Seq(false))

  /** By dimension, by part: whether a watermark on it bounds all inputs that have it, as it does where each
    * equality has one on a side: those are the joins by which Spark lets rows go.
    */
  val bounding: Seq[Seq[Boolean]] = byValue.map(_.map(isBounding)) ++ compared.map(_ => Seq(false))

  /** Its classes are the dimensions. */
  val graph: JoinGraph = JoinShape.graph(JoinShape.holders(n, keys))

  /** The conjuncts that hold where keys are equal. */
  val implied: Seq[JoinTree.Conjunct] =
    columns.equalities.collect { case (conjunct, e) if enforced(e) => conjunct }

  private def enforced(e: Equality) = byValue.flatten.exists(isOf(e, _))

  private def isOf(e: Equality, c: KeyClass) =
    c.column(e.leftInput) == e.leftColumn && c.column(e.rightInput) == e.rightColumn

  private def isBounding(c: KeyClass) = columns.equalities.map(_._2).filter(isOf(_, c)).forall { e =>
    StateBounds.isEventTime(columns.expression(e.leftInput, e.leftColumn)) ||
    StateBounds.isEventTime(columns.expression(e.rightInput, e.rightColumn))
  }

  private def parts(c: KeyClass): Seq[Option[Expression]] =
    tree.inputs.indices.map(i => if (c.column(i) < 0) None else Some(columns.expression(i, c.column(i))))
}
