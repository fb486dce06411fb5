package org.streamon.spark.planning

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys
import org.apache.spark.sql.catalyst.plans.InnerLike
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan, Project}
import org.streamon.core.joins.{JoinTree => TwoWay}
import org.streamon.spark.logical.{MarkClock, OrderedInput, TwoWayWatermarks}

/** A flattened tree of inner joins. All expressions are in terms of the columns of its inputs.
  *
  * @param inputs
  *   the inputs from left to right
  * @param twoWay
  *   the two-way joins of the tree
  * @param watermarks
  *   the watermarks of the two-way joins
  * @param hashable
  *   whether each two-way join has an equality between its sides, so that Spark can join its streams
  * @param joins
  *   the joins from the bottom up
  * @param conjuncts
  *   the conjuncts of the joins and of the filters between them, from the bottom up
  * @param output
  *   the columns of the topmost join, computed from the columns of the inputs
  */
final case class JoinTree(
    inputs: IndexedSeq[LogicalPlan],
    twoWay: TwoWay,
    watermarks: TwoWayWatermarks,
    hashable: Boolean,
    joins: Seq[Join],
    conjuncts: IndexedSeq[JoinTree.Conjunct],
    output: Seq[NamedExpression]
) {

  /** The inputs that an expression reads. */
  def inputsOf(e: Expression): Set[Int] =
    inputs.indices.filter(i => e.references.exists(inputs(i).outputSet.contains)).toSet
}

object JoinTree extends PredicateHelper {

  /** A predicate and, of the operator that it belongs to, the inputs below: those of its left side are `from`
    * until `middle`, those of its right side `middle` until `to`. A filter has no right side.
    */
  final case class Conjunct(predicate: Expression, from: Int, middle: Int, to: Int) {

    /** Whether the side that holds an input holds nothing else. Then Spark, too, evaluates on each of its
      * rows what the predicate needs of it.
      */
    def alone(input: Int): Boolean = if (input < middle) middle - from == 1 else to - middle == 1
  }

  /** @param wanted
    *   which joins belong to the tree, inner joins all; what is below another operator, or is an
    *   [[OrderedInput]], is an input
    */
  def of(top: Join)(wanted: Join => Boolean): JoinTree = {
    val flattening = new Flattening(wanted)
    val whole = flattening.flatten(top, 0)
    JoinTree(
      whole.inputs,
      whole.twoWay,
      whole.watermarks,
      flattening.hashable,
      flattening.joins.toSeq,
      whole.conjuncts,
      top.output.map(whole.named)
    )
  }

  private final case class Branch(
      inputs: Vector[LogicalPlan],
      twoWay: TwoWay,
      watermarks: TwoWayWatermarks,
      conjuncts: Vector[Conjunct],
      columns: AttributeMap[Expression]
  ) {
    def ofInputs(e: Expression): Expression = e.transform { case a: Attribute => columns.getOrElse(a, a) }

    def named(column: Attribute): NamedExpression = columns.getOrElse(column, column) match {
      case same: Attribute if same.exprId == column.exprId => same
      case e => Alias(e, column.name)(column.exprId, column.qualifier, Some(column.metadata))
    }

    def filtered(conditions: Seq[Expression], from: Int, middle: Int): Branch = {
      val own = conditions.map(p => Conjunct(ofInputs(p), from, middle, from + inputs.size))
      copy(conjuncts = conjuncts ++ own)
    }
  }

  private final class Flattening(wanted: Join => Boolean) {
    var hashable = true
    val joins = mutable.Buffer.empty[Join]
    private var known = AttributeSet.empty

    /** @param first
      *   the number of the leftmost input below
      */
    def flatten(plan: LogicalPlan, first: Int): Branch = plan match {
      case join @ Join(left, right, _: InnerLike, _, _) if wanted(join) =>
        hashable &&= ExtractEquiJoinKeys.unapply(join).isDefined
        val l = flatten(left, first)
        val middle = first + l.inputs.size
        val r = flatten(right, middle)
        joins += join
        Branch(
          l.inputs ++ r.inputs,
          TwoWay.Node(l.twoWay, r.twoWay),
          TwoWayWatermarks.of(join, l.watermarks, r.watermarks),
          l.conjuncts ++ r.conjuncts,
          l.columns ++ r.columns
        ).filtered(keysFirst(join), first, middle)
      case Project(list, child) if aboveInputs(plan) =>
        val below = flatten(child, first)
        val columns = list.map {
          case alias: Alias => alias.toAttribute -> below.ofInputs(alias.child)
          case other        => other.toAttribute -> below.ofInputs(other)
        }
        below.copy(columns = AttributeMap(columns))
      case Filter(condition, child) if aboveInputs(plan) =>
        val below = flatten(child, first)
        below.filtered(splitConjunctivePredicates(condition), first, first + below.inputs.size)
      case input =>
        val own = withOwnColumns(input)
        val columns = AttributeMap(input.output.zip(own.output: Seq[Expression]))
        Branch(Vector(own), TwoWay.Leaf(first), TwoWayWatermarks.ofInput, Vector.empty, columns)
    }

    /** A stream that is joined again behind a projection that renames its columns brings the same columns
      * twice: laid flat, a condition between the two would be one on a single row.
      */
    private def withOwnColumns(input: LogicalPlan): LogicalPlan = {
      val columns = input.output
      val own =
        if (input.isInstanceOf[OrderedInput] || !columns.exists(known.contains)) input
        else Project(columns.map(a => if (known.contains(a)) renewed(a) else a), input)
      known = known ++ own.outputSet
      own
    }

    private def renewed(column: Attribute) =
      Alias(column, column.name)(qualifier = column.qualifier, explicitMetadata = Some(column.metadata))

    /** Spark looks for rows by the equalities between the sides, and evaluates the rest on what it finds. */
    private def keysFirst(join: Join): Seq[Expression] = {
      def between(a: Expression, b: Expression) = Seq(a -> b, b -> a).exists { case (l, r) =>
        Seq(l -> join.left, r -> join.right).forall { case (e, side) =>
          e.references.nonEmpty && e.references.subsetOf(side.outputSet)
        }
      }
      val (keys, others) = join.condition.toSeq.flatMap(splitConjunctivePredicates).partition {
        case EqualTo(a, b)       => between(a, b)
        case EqualNullSafe(a, b) => between(a, b)
        case _                   => false
      }
      keys ++ others
    }

    private def aboveInputs(plan: LogicalPlan): Boolean = plan match {
      case join: Join      => wanted(join)
      case _: OrderedInput => true
      case _: Project      => plan.expressions.forall(isSame) && aboveInputs(plan.children.head)
      case _: Filter       => plan.expressions.forall(_.deterministic) && aboveInputs(plan.children.head)
      case _               => false
    }

    /** Whether it comes to the same when rows are in a result as when they meet, micro-batches before. */
    private def isSame(e: Expression) =
      e.deterministic && !MarkClock.reads(e) && !e.exists(_.isInstanceOf[PlanExpression[_]])
  }
}
