package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference, Expression}
import org.streamon.core.constraints.JoinKeys
import org.streamon.core.joins.{Equality, JoinGraph}
import org.streamon.spark.logical.JoinSpec

/** The shape of an MJoin: its inputs, keys and conditions. The driver makes it for all tasks.
  *
  * @param inputs
  *   the columns of each
  * @param order
  *   in which rows are taken when some inputs have windows of rows; none when it does not matter
  */
final case class JoinShape(
    inputs: IndexedSeq[Seq[Attribute]],
    spec: JoinSpec,
    bounds: StateBounds,
    order: Option[InOrder]
) {
  def keys: Seq[Seq[Seq[Expression]]] = spec.keys
  def size: Int = inputs.size
  def dimensions: Int = keys.size
  def holds(input: Int, dimension: Int): Boolean = keys(dimension)(input).nonEmpty

  /** By input, by dimension: whether it has a key. */
  def holders: IndexedSeq[IndexedSeq[Boolean]] = JoinShape.holders(size, keys)

  /** By input, the dimensions in which it has a key. */
  @transient lazy val dimensionsOf: Array[Array[Int]] =
    Array.tabulate(size)(i => (0 until dimensions).filter(holds(i, _)).toArray)

  /** By input, whether rows that have spilled lie in the state store by name too, and not only under their
    * keys: so those are found that leave. Where none ever does, each would be written once more for nothing.
    */
  @transient lazy val namesSpilled: Array[Boolean] = bounds.expiring.map(_ || order.isDefined)

  /** By what the query calls an input: the qualifier of its key in a dimension, if no other input there has
    * the same.
    */
  def nameOf(input: Int, dimension: Int): Option[String] = {
    def qualifier(of: Int) = keys(dimension)(of).flatMap(_.references).collectFirst {
      case a: Attribute if a.qualifier.nonEmpty => a.qualifier.last
    }
    qualifier(input).filterNot(name => inputs.indices.exists(i => i != input && qualifier(i).contains(name)))
  }

  /** The same by the first of its keys that tells. */
  def nameOf(input: Int): Option[String] = dimensionsOf(input).flatMap(nameOf(input, _)).headOption

  /** By dimension, the numbers of its keys. */
  def numbers: Array[KeyNumber] = keys.map(own => KeyNumber.of(own.find(_.nonEmpty).get)).toArray

  /** Whether inputs are only compared in a dimension: all rows have the same key. */
  def isConstant(dimension: Int): Boolean = keys(dimension).flatten.forall(_.foldable)

  /** What constraints ask of it. */
  @transient lazy val joinKeys: JoinKeys =
    new JoinKeys(dimensionsOf, numbers.map(_.ordered), Array.tabulate(dimensions)(isConstant))

  @transient lazy val residuals: Residuals = {
    val compared = (0 until dimensions).filter(isConstant).map(d => inputs.indices.filter(holds(_, d)).toSet)
    new Residuals(spec.residuals, spec.scopes, inputs, compared)
  }

  @transient lazy val graph: JoinGraph = JoinShape.graph(holders, residuals.needs)
}

object JoinShape {

  /** By input, by dimension: whether it has a key.
    *
    * @param keys
    *   by dimension, by input
    */
  def holders[K](inputs: Int, keys: Seq[Seq[Seq[K]]]): IndexedSeq[IndexedSeq[Boolean]] =
    Vector.tabulate(inputs, keys.size)((i, d) => keys(d)(i).nonEmpty)

  /** A key in terms of columns, whatever the alias of their table. */
  def inColumns(key: Expression): String =
    key.transform { case a: AttributeReference => a.withQualifier(Nil) }.sql

  /** A key class for each dimension.
    *
    * @param holders
    *   by input, by dimension: whether it has a key
    */
  def graph(holders: Seq[Seq[Boolean]], residuals: IndexedSeq[Long] = Vector.empty): JoinGraph = {
    val equalities = for {
      d <- holders.head.indices
      members = holders.indices.filter(holders(_)(d))
      other <- members.tail
    } yield Equality(members.head, d, other, d)
    new JoinGraph(holders.size, equalities, residuals)
  }
}
