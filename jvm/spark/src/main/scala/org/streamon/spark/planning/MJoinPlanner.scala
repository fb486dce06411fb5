package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions.{PlanExpression, PythonUDF}
import org.apache.spark.sql.catalyst.plans.Inner
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan, Project}
import org.apache.spark.sql.catalyst.util.UnsafeRowUtils
import org.apache.spark.sql.execution.datasources.v2.StreamingDataSourceV2ScanRelation
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.{SparkInternals, StreamonConf}
import org.streamon.core.joins.{Equality, JoinGraph}

/** Decides whether a tree of joins becomes an MJoin, and how. It is refused, in this order:
  *   1. when no hint names the join and the conf does not want it, or there are too few inputs for the conf;
  *   1. when it is no inner join, or not of streams;
  *   1. when the query runs in real-time mode, or the state store has no column families;
  *   1. when a condition must be evaluated by Python or by a subquery;
  *   1. when the inputs have no key in common, or one whose equality is not that of its bytes.
  */
final class MJoinPlanner(conf: SQLConf) {

  /** What to put in the place of the tree below `top`, or why it stays.
    *
    * @param part
    *   whether the tree is part of one without a common key: then it is worth it from three inputs on
    */
  def plan(top: Join, part: Boolean): Either[Refusal, LogicalPlan] = for {
    _ <- joins(top)
    tree = JoinTree.of(top)(belongs)
    _ <- wanted(top, tree, part)
    _ <- runs(tree)
    _ <- computable(tree)
    keyed <- keyed(tree)
  } yield if (keyed.output == tree.output) keyed else Project(tree.output, keyed)

  private def belongs(join: Join): Boolean =
    joins(join).isRight && (conf.getConf(StreamonConf.JoinEnabled) || MJoinHint.names(join))

  /** Whether this join by itself could be part of an MJoin. */
  private def joins(join: Join): Either[Refusal, Unit] =
    if (!join.isStreaming) Left(Refusal.JoinOfTables)
    else if (!join.left.isStreaming || !join.right.isStreaming) Left(Refusal.StaticSide)
    else if (join.joinType != Inner) Left(Refusal.NotInner(join.joinType.sql))
    else if (!conf.getConf(StreamonConf.JoinEnabled) && !MJoinHint.names(join)) Left(Refusal.NoJoinHint)
    else Right(())

  private def wanted(top: Join, tree: JoinTree, part: Boolean): Either[Refusal, Unit] = {
    val least = if (part || !MJoinHint.names(top)) conf.getConf(StreamonConf.JoinMinInputs) else 2
    if (tree.inputs.size < least) Left(Refusal.TooFewStreams(tree.inputs.size, least))
    else if (tree.inputs.size > MJoinPlanner.MaxInputs) Left(Refusal.TooManyStreams(tree.inputs.size))
    else if (tree.inputs.exists(isMJoin)) Left(Refusal.DifferentKeys)
    else Right(())
  }

  /** An MJoin that is joined further was cut out of a tree without a common key. */
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
      .toLeft(())

  /** One hash partitioning serves when some class of equal columns has a member in every input. The classes
    * that do are the key; the equalities of the others are residual conditions.
    */
  private def keyed(tree: JoinTree): Either[Refusal, MJoin] = {
    val columns = new KeyColumns(tree)
    val equalities = columns.equalities
    val graph = new JoinGraph(tree.inputs.size, equalities.map(_._2))
    val common = graph.classes.indices.filter(c => (graph.commonClasses >>> c & 1L) != 0L).map(graph.classes)
    val keys = tree.inputs.indices.map(i => common.map(c => columns.expression(i, c.column(i))))
    def enforced(e: Equality) = common.exists { c =>
      c.column(e.leftInput) == e.leftColumn && c.column(e.rightInput) == e.rightColumn
    }
    val implied = equalities.collect { case (conjunct, e) if enforced(e) => conjunct }
    val residuals = tree.conjuncts.filterNot(implied.contains).map(_.predicate)
    if (common.isEmpty) Left(Refusal.DifferentKeys)
    else
      keys.head.find(k => !UnsafeRowUtils.isBinaryStable(k.dataType)) match {
        case Some(key) => Left(Refusal.UnsupportedKey(key.sql, key.dataType.sql))
        case None      =>
          val normalized = keys.map(_.map(SparkInternals.normalizeFloats))
          Right(MJoin(tree.inputs, normalized, common.map(_.nullSafe), residuals, JoinSettings(conf)))
      }
  }
}

object MJoinPlanner {

  /** Sets of inputs are the bits of a Long. */
  private val MaxInputs = 64
}
