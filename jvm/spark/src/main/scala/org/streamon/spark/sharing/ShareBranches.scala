package org.streamon.spark.sharing

import org.apache.spark.sql.catalyst.expressions.{Left => _, Right => _, _}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project, Union}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.spark.errors.Refusal

/** Reads the rows of the branches of a UNION ALL once: each row comes as often as conditions of branches
  * hold, and what differs between branches is looked up by the number of the branch. Branches that have no
  * others of their kind stay.
  */
private[sharing] final class ShareBranches(conf: SQLConf) {
  import MatchedRows._

  private val least = conf.getConf(StreamonConf.MatchShareLeast)
  private val matchedRows = new MatchedRows(conf)

  def apply(union: Union): Either[Refusal, LogicalPlan] =
    if (union.isStreaming) Left(Refusal.StreamOfRows)
    else if (union.children.size < least) Left(Refusal.TooFewConditions(union.children.size, least))
    else {
      val (unfit, fit) = union.children.zipWithIndex.partitionMap { case (child, place) =>
        FilteredBranch.of(child).map(Placed(_, place))
      }
      val kinds = fit.groupBy(_.branch.kind).values.toSeq
      val large = kinds.filter(_.size >= least)
      if (large.isEmpty)
        Left(unfit.headOption.getOrElse(Refusal.DifferentRows(kinds.map(_.size).max, least)))
      else {
        val (refused, shared) = large.partitionMap(of => over(of, columnsOf(union, of.head.place)))
        if (shared.isEmpty) Left(refused.head) else Right(instead(shared, union))
      }
    }

  private case class Placed(branch: FilteredBranch, place: Int)

  /** Some branches in one plan.
    *
    * @param places
    *   of the branches in the UNION ALL
    */
  private case class SharedBranches(plan: LogicalPlan, places: Seq[Int])

  /** A UNION ALL has the columns of its first branch. */
  private def columnsOf(union: Union, place: Int): Seq[Attribute] =
    if (place == 0) union.output else union.children(place).output

  private def over(of: Seq[Placed], columns: Seq[Attribute]): Either[Refusal, SharedBranches] = {
    val branches = of.map(_.branch)
    val rows = branches.head.rows
    val read = AttributeSet(branches.head.columns.flatMap(_.references))
    matchedRows.exploded(rows, branches.map(_.conditionOver(rows)), read, keepsAll = false).map { matches =>
      val values = branches.map(_.columns).transpose.map {
        case constants @ ((_: Literal) +: _) =>
          constant(constants.collect { case l: Literal => l }, matches.number)
        case same => same.head
      }
      val list = values.zip(columns).map { case (value, column) => named(value, column) }
      SharedBranches(Project(list, matches.rows), of.map(_.place))
    }
  }

  /** The branches that stay, and the others, each kind at its first place. */
  private def instead(shared: Seq[SharedBranches], union: Union): LogicalPlan = {
    val gone = shared.flatMap(_.places).toSet
    val stay = union.children.zipWithIndex.collect { case (child, place) if !gone(place) => place -> child }
    val parts = (stay ++ shared.map(s => s.places.head -> s.plan)).sortBy(_._1).map(_._2)
    if (parts.size == 1) parts.head else union.copy(children = parts)
  }
}
