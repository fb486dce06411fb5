package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Expression, PlanExpression, PythonUDF}
import org.apache.spark.sql.catalyst.plans.InnerLike
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan, Project}
import org.apache.spark.sql.execution.datasources.v2.StreamingDataSourceV2ScanRelation
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.{SparkInternals, StreamonConf}
import org.streamon.spark.errors.{HintError, Refusal}
import org.streamon.spark.execution.state.StateBounds
import org.streamon.spark.logical.{JoinSpec, MJoinHint, MarkClock, OrderedInput, RowOrder}
import org.streamon.spark.settings.{HintOptions, JoinSettings}
import org.streamon.core.caching.CacheMode
import org.streamon.core.joins.{Bits, JoinGraph}

/** Decides whether a tree of joins becomes an MJoin, and how. A tree is refused for one of these reasons:
  *   1. neither a hint nor the setting asks for an MJoin, or there are too few inputs for the setting.
  *      Windows of rows always ask for one;
  *   1. it is not an inner join of streams, or two windows of rows have the same column;
  *   1. the query runs in real-time mode, or the state store has no column families;
  *   1. a condition contains a Python function or a subquery, or reads the clock;
  *   1. keys do not connect all inputs. Other conditions can connect inputs only where Spark has no join for
  *      them;
  *   1. a key that is needed has a type whose equal values can have different bytes.
  */
final class MJoinPlanner(conf: SQLConf) {

  /** Right: the plan that replaces the tree below `top`. Left: why the tree stays.
    *
    * @param part
    *   whether the tree is part of one that equalities do not connect. Then it needs three inputs or more
    */
  def plan(top: Join, part: Boolean): Either[Refusal, LogicalPlan] = for {
    _ <- joins(top, wants(top))
    ordered = OrderedInput.block(top)
    tree = JoinTree.of(top)(join => ordered.nonEmpty || belongs(join, top))
    _ <- ordered.fold(wanted(top, tree, part))(whole(tree, _))
    _ <- distinct(tree)
    _ <- runs(tree)
    _ <- computable(tree)
    _ <- Either.cond(!tree.inputs.exists(isMJoin), (), Refusal.NotConnected)
    keyed <- keyed(top, tree)
  } yield if (keyed.output == tree.output) keyed else Project(tree.output, keyed)

  /** Hints are tags of conditions. A join without conditions belongs to a hint without names above it. */
  private def belongs(join: Join, top: Join): Boolean =
    joins(join, wants(join) || join.condition.isEmpty && wantsAll(top)).isRight &&
      OrderedInput.block(join).isEmpty

  private def wants(join: Join): Boolean =
    conf.getConf(StreamonConf.JoinEnabled) || MJoinHint.names(join) || OrderedInput.block(join).nonEmpty

  private def wantsAll(join: Join): Boolean =
    conf.getConf(StreamonConf.JoinEnabled) || MJoinHint.of(join).exists(_.inputs.isEmpty)

  /** Whether this join by itself could be part of an MJoin.
    *
    * @param wanted
    *   by a hint, the conf, or a window of rows
    */
  private def joins(join: Join, wanted: Boolean): Either[Refusal, Unit] =
    if (!join.isStreaming) Left(Refusal.JoinOfTables)
    else if (!join.left.isStreaming || !join.right.isStreaming) Left(Refusal.StaticSide)
    else if (!join.joinType.isInstanceOf[InnerLike]) Left(Refusal.NotInner(join.joinType.sql))
    else if (!wanted) Left(Refusal.NoJoinHint)
    else Right(())

  private def wanted(top: Join, tree: JoinTree, part: Boolean): Either[Refusal, Unit] = {
    val least = if (part || !MJoinHint.names(top)) conf.getConf(StreamonConf.JoinMinInputs) else 2
    if (tree.inputs.size < least) Left(Refusal.TooFewStreams(tree.inputs.size, least))
    else if (tree.inputs.size > MJoinPlanner.MaxInputs) Left(Refusal.TooManyStreams(tree.inputs.size))
    else
      // Those of a window of rows, and others between them.
      tree.inputs
        .collectFirst { case input: OrderedInput => Refusal.StreamsApart(1, input.inputs) }
        .toLeft(())
  }

  /** Whether the tree has all streams that windows of rows put in one order. */
  private def whole(tree: JoinTree, ordered: Seq[OrderedInput]): Either[Refusal, Unit] = {
    val streams = ordered.head.inputs
    if (streams > MJoinPlanner.MaxInputs) Left(Refusal.TooManyStreams(streams))
    else if (tree.inputs.size == streams) Right(())
    else Left(Refusal.StreamsApart(tree.inputs.size, streams))
  }

  /** The columns of a window of rows are its own. */
  private def distinct(tree: JoinTree): Either[Refusal, Unit] = {
    val columns = tree.inputs.flatMap(_.output)
    columns.groupBy(_.exprId).values.find(_.size > 1).map(c => Refusal.SameColumn(c.head.name)).toLeft(())
  }

  /** An MJoin that is joined further was cut out of a tree that equalities do not connect. */
  private def isMJoin(input: LogicalPlan): Boolean = input match {
    case _: MJoin               => true
    case _: Project | _: Filter => isMJoin(input.children.head)
    case _                      => false
  }

  private def runs(tree: JoinTree): Either[Refusal, Unit] = {
    val realTime = tree.inputs.exists(_.exists {
      case scan: StreamingDataSourceV2ScanRelation => scan.relation.realTimeModeDuration.isDefined
      case _                                       => false
    })
    if (realTime) Left(Refusal.RealTimeMode)
    else if (!SparkInternals.hasColumnFamilies(conf.stateStoreProviderClass))
      Left(Refusal.NoColumnFamilies(conf.stateStoreProviderClass))
    else Right(())
  }

  private def computable(tree: JoinTree): Either[Refusal, Unit] =
    tree.conjuncts
      .map(_.predicate)
      .find(_.exists(e => e.isInstanceOf[PythonUDF] || e.isInstanceOf[PlanExpression[_]]))
      .map(p => Refusal.NotEvaluable(p.sql))
      .orElse(tree.conjuncts.map(_.predicate).find(MarkClock.reads).map(p => Refusal.ReadsClock(p.sql)))
      .toLeft(())

  private def keyed(top: Join, tree: JoinTree): Either[Refusal, MJoin] = {
    val columns = new KeyColumns(tree)
    val dimensions = new JoinDimensions(tree, columns)
    import dimensions.{bounding, graph, implied, keys, nullSafe, placing}
    if (!graph.connected) Left(notConnected(columns, tree.inputs.size))
    else {
      val residuals = tree.conjuncts.filterNot(implied.contains)
      val inputs = tree.inputs.map {
        case ordered: OrderedInput => ordered.child
        case unordered             => unordered
      }
      val declared = new ConstraintPlanner(tree, dimensions).constraints
      Right(
        MJoin(
          SeparateInputs(inputs),
          JoinSpec(
            called(keys, tree),
            placing,
            nullSafe,
            bounding,
            residuals.map(_.predicate),
            residuals.map(scope(_, tree)),
            orders(tree),
            tree.watermarks,
            timed(tree),
            declared
          ),
          settings(tree, graph)
        )
      )
    }
  }

  /** A filter above a window of rows belongs to the join that reads it. */
  private def scope(c: JoinTree.Conjunct, tree: JoinTree): Long =
    if (c.to - c.from > 1) Bits.of(c.from until c.to) else tree.twoWay.readerOf(c.from).inputs

  private def timed(tree: JoinTree): Long = {
    val times = tree.output.filter(StateBounds.isEventTime)
    Bits.of(times.flatMap(tree.inputsOf))
  }

  /** The keys, with the names that a hint knows their inputs by: rules have taken them from the columns. */
  private def called(keys: Seq[Seq[Seq[Expression]]], tree: JoinTree): Seq[Seq[Seq[Expression]]] = {
    val names = tree.conjuncts
      .map(_.predicate)
      .flatMap { p =>
        MJoinHint.namesOn(p).zip(p.children).collect {
          case (Some(name), operand) if tree.inputsOf(operand).size == 1 =>
            tree.inputsOf(operand).head -> name
        }
      }
      .toMap
    keys.map(_.zipWithIndex.map { case (parts, i) =>
      names.get(i).fold(parts) { name =>
        parts.map(_.transform { case a: AttributeReference => a.withQualifier(name.split('.').toSeq) })
      }
    })
  }

  /** @throws HintError
    *   when a cache is forced on inputs that are not joined with each other
    */
  private def settings(tree: JoinTree, graph: JoinGraph): JoinSettings = {
    val options = tree.joins.flatMap(MJoinHint.of).map(_.options)
    val all = JoinSettings(HintOptions.ofJoins.over(conf, options.fold(Map.empty)(_ ++ _)))
    def isJoined(inputs: Seq[Int]) = {
      val several = inputs.toSet
      several.size >= 2 && several.size < graph.n && several.forall(_ < graph.n) &&
      graph.connects(Bits.of(several))
    }
    if (graph.n > 2 && all.caching.mode != CacheMode.Off)
      all.caching.forced.filterNot(isJoined).foreach(bad => throw HintError.badCache(bad, graph.n))
    all
  }

  private def orders(tree: JoinTree): Seq[RowOrder] = tree.inputs.collect { case input: OrderedInput =>
    val window = input.order.window.map(w => w.copy(groups = w.groups.map(SparkInternals.normalizeFloats)))
    input.order.copy(window = window)
  }

  private def notConnected(columns: KeyColumns, inputs: Int): Refusal = {
    val stable = columns.equalities.map(_._2)
    columns.unstable.headOption match {
      case Some((key, _)) if new JoinGraph(inputs, stable ++ columns.unstable.map(_._2)).connected =>
        Refusal.unsupportedKey(key)
      case _ => Refusal.NotConnected
    }
  }
}

object MJoinPlanner {

  /** Sets of inputs are the bits of a Long. */
  private val MaxInputs = 64
}
