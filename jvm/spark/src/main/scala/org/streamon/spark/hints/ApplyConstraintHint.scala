package org.streamon.spark.hints

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.streamon.SparkInternals
import org.streamon.spark.errors.HintError
import org.streamon.spark.logical.DeclaredConstraint
import org.apache.spark.sql.types._
import org.streamon.spark.logical.DeclaredConstraint.{Adheres, Mention}

/** Checks the names in `UNIQUE` and `K_CONSTRAINT`, and marks the conditions between the streams that they
  * name. On tables these hints have no effect.
  *
  * @throws HintError
  *   when a name is not an input, a stream or a column, when the parameters are invalid, when the inputs are
  *   not joined by the named columns, or when the hint contradicts another one
  */
object ApplyConstraintHint extends Rule[LogicalPlan] {
  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!plan.exists(_.isInstanceOf[ConstrainedJoins])) plan
    else
      AnalysisHelper.allowInvokingTransformsInAnalyzer {
        plan
          .transformUp {
            // A comma join has its condition in the filter above it.
            case filter @ Filter(_, hinted) if hinted.resolved && hints(hinted).nonEmpty =>
              hints(hinted).foldLeft(filter.copy(child = without(hinted)): LogicalPlan)(declared)
          }
          .transformUp { case joins: ConstrainedJoins if joins.resolved => declared(joins.child, joins.hint) }
      }

  /** Those just below a filter, among other hints. */
  private def hints(plan: LogicalPlan): Seq[ConstraintHint] = plan match {
    case ConstrainedJoins(hint, child)     => hints(child) :+ hint
    case _: HintedJoins | _: WindowedJoins => hints(plan.children.head)
    case _                                 => Nil
  }

  private def without(plan: LogicalPlan): LogicalPlan = plan match {
    case ConstrainedJoins(_, child)        => without(child)
    case _: HintedJoins | _: WindowedJoins => plan.mapChildren(without)
    case _                                 => plan
  }

  private def declared(block: LogicalPlan, hint: ConstraintHint): LogicalPlan =
    BadHint.ignoredWhenOff(block)(checked(block, hint))

  private def checked(block: LogicalPlan, hint: ConstraintHint): LogicalPlan = {
    val inputs = JoinInputs.of(block)
    val parsed = ParsedConstraint(hint)
    if (!block.isStreaming) {
      // What does nothing here may be meant for the same query over streams.
      parsed.foreach(_.names.foreach { case (input, columns) =>
        val found = JoinInputs.named(input, inputs, hint.text, inputs)
        columns.foreach(column(_, input, found.plan, hint))
      })
      block
    } else {
      if (inputs.size < 2) throw HintError.noJoin(hint.name, hint.text)
      val constraint = parsed.fold(why => throw HintError.badConstraint(hint.text, why), identity)
      marked(block, inputs, constraint, hint)
    }
  }

  private def marked(
      block: LogicalPlan,
      inputs: Seq[JoinInput],
      constraint: ParsedConstraint,
      hint: ConstraintHint
  ): LogicalPlan = {
    val streams = inputs.filter(_.plan.isStreaming)
    val about = constraint.names.map { case (name, columns) =>
      val input = stream(name, inputs, hint)
      Named(name, input, columns.map(column(_, name, input.plan, hint)).distinctBy(_.exprId))
    }
    if (about.map(_.input.plan).combinations(2).exists(two => two.head eq two.last))
      throw HintError.badConstraint(hint.text, s"`${about.last.name}` cannot be its own parent")
    val declared = constraint.declared(about.flatMap(_.columns).map(_.name), NamedExpression.newExprId.id)
    val ofInputs = JoinInputs.inTermsOfInputs(block)

    def mentions(conjunct: Expression): Seq[Mention] = {
      val read = ofInputs(conjunct).references
      val isBetweenStreams = read.forall(a => streams.exists(_.plan.outputSet.contains(a))) &&
        streams.count(s => read.exists(s.plan.outputSet.contains)) > 1
      for {
        (operand, at) <- conjunct.children.map(ofInputs).zipWithIndex if isBetweenStreams
        named <- about
        if named.input.has(operand)
      } yield Mention(declared, at, named.name, named.called(operand).filter(_ => equates(conjunct)))
    }

    val equalities = Seq.newBuilder[(Expression, Seq[Mention])]
    val before = Set.newBuilder[Other]
    val marked = Marking.conjuncts(block) { conjunct =>
      val found = mentions(conjunct)
      for (own <- found; other <- DeclaredConstraint.in(conjunct) if other.operand == own.operand)
        before += Other(other.declared, other.input, own.input)
      DeclaredConstraint.mark(conjunct, found)
      if (equates(conjunct)) equalities += conjunct -> found
    }
    joined(about, equalities.result(), hint)
    agrees(declared, before.result())
    marked
  }

  private def agrees(declared: DeclaredConstraint, before: Set[Other]): Unit = declared match {
    case own: Adheres =>
      before.map(_.declared).foreach {
        case other: Adheres
            if other.kind == own.kind && other.k != own.k && before(Other(other, other.parent, own.parent)) &&
              before(Other(other, other.child, own.child)) =>
          throw HintError.constraintTwice(Seq(other.text, own.text))
        case _ => ()
      }
    case _ => ()
  }

  /** Equalities of floating-point numbers are written anew, without what they are marked with. */
  private def equates(conjunct: Expression): Boolean = conjunct match {
    case EqualTo(_, _) | EqualNullSafe(_, _) =>
      conjunct.children.forall(c => SparkInternals.normalizeFloats(c) eq c)
    case _ => false
  }

  /** Checks that equalities of the block read each named input and column. */
  private def joined(
      about: Seq[Named],
      equalities: Seq[(Expression, Seq[Mention])],
      hint: ConstraintHint
  ): Unit = {
    val found = equalities.flatMap(_._2)
    def refused(why: String) = throw HintError.constraintNotJoined(hint.text, why, equalities.map(_._1.sql))
    for (named <- about) {
      if (!found.exists(_.input == named.name)) refused(s"no equality joins `${named.name}` with a stream")
      for (column <- named.columns if !found.exists(_.column.contains(column.name)))
        refused(s"no equality joins the column `${column.name}` of `${named.name}` with a stream")
    }
  }

  private def stream(name: String, inputs: Seq[JoinInput], hint: ConstraintHint): JoinInput = {
    val streams = inputs.filter(_.plan.isStreaming)
    val found = JoinInputs.named(name, inputs, hint.name, allowed = streams)
    if (!found.plan.isStreaming) throw HintError.staticInput(hint.name, name, streams.flatMap(_.name))
    // A stream joined with itself may keep its columns, by which nothing tells one from the other.
    val same = inputs.filter(_.plan.outputSet.exists(found.plan.outputSet.contains))
    if (same.size > 1) throw HintError.ambiguousInput(hint.name, name, same.flatMap(_.name))
    if (joinsStreams(found.plan)) throw HintError.constraintOfJoin(hint.text, name)
    found
  }

  /** Whether a subquery may be laid flat with the joins around it: its rows are those of no stream then. */
  private def joinsStreams(plan: LogicalPlan): Boolean = plan match {
    case join: Join => join.left.isStreaming && join.right.isStreaming
    case _: SubqueryAlias | _: View | _: Project | _: Filter | _: HintedJoins | _: WindowedJoins |
        _: ConstrainedJoins | _: ResolvedHint =>
      joinsStreams(plan.children.head)
    case _ => false
  }

  private def column(name: String, input: String, plan: LogicalPlan, hint: ConstraintHint): Attribute =
    JoinInputs.column(name, plan).getOrElse {
      throw HintError.unknownColumn(hint.name, name, input, plan.output.map(_.name))
    }

  /** What an earlier hint declares of an input, and what the two hints call it. */
  private final case class Other(declared: DeclaredConstraint, input: String, own: String)

  private final case class Named(name: String, input: JoinInput, columns: Seq[Attribute]) {

    /** The name of the column that an operand is. Widening leaves unequal integers unequal. */
    def called(operand: Expression): Option[String] = operand match {
      case Cast(of, to, _, _) if isWhole(to) =>
        of.dataType match {
          case from if isWhole(from) && from.defaultSize <= to.defaultSize => called(of)
          case _                                                           => None
        }
      case _ => columns.find(_.semanticEquals(operand)).map(_.name)
    }

    private def isWhole(of: DataType) = of match {
      case ByteType | ShortType | IntegerType | LongType => true
      case _                                             => false
    }
  }
}
