package org.streamon.spark.sharing

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Union}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.spark.errors.Refusal

/** Reads the rows of the branches of a UNION ALL once: each row comes as often as conditions of branches
  * hold, and what differs between branches is looked up by the number of the branch. Branches that have no
  * others of their kind stay.
  */
private[sharing] final class ShareBranches(conf: SQLConf) {
  private val least = conf.getConf(StreamonConf.MatchShareLeast)
  private val matchedRows = new MatchedRows(conf)

  def apply(union: Union): Either[Refusal, LogicalPlan] =
    if (union.isStreaming) Left(Refusal.StreamOfRows)
    else if (union.children.size < least) Left(Refusal.TooFewConditions(union.children.size, least))
    else {
      // First branches that filter the same rows. These may be an aggregate, which is computed once. Then
      // branches with aggregates of their own.
      val filtered = shared(union, union.children.indices)(b => Some(FilteredBranch.of(b)))
      val others = union.children.indices.diff(filtered.plans.flatMap(_.places))
      val aggregated = shared(union, others)(AggregatedBranch.of)
      val plans = filtered.plans ++ aggregated.plans
      if (plans.nonEmpty) Right(instead(plans, union))
      else
        Left((aggregated.refusals ++ filtered.refusals).headOption.getOrElse {
          Refusal.DifferentRows(math.max(filtered.most, aggregated.most), least)
        })
    }

  private case class Placed(branch: Branch, place: Int)

  /** Some branches in one plan.
    *
    * @param places
    *   of the branches in the UNION ALL
    */
  private case class SharedBranches(plan: LogicalPlan, places: Seq[Int])

  /** Branches of one form.
    *
    * @param most
    *   how many of a kind there are at most
    */
  private case class OfForm(plans: Seq[SharedBranches], refusals: Seq[Refusal], most: Int)

  /** @param places
    *   of the branches that are looked at
    * @param of
    *   a branch in this form, or why it cannot be shared; none where it is of another form
    */
  private def shared(union: Union, places: Seq[Int])(
      of: LogicalPlan => Option[Either[Refusal, Branch]]
  ): OfForm = {
    val (unfit, fit) = places
      .flatMap(place => of(union.children(place)).map(_.map(Placed(_, place))))
      .partitionMap(identity)
    val kinds = fit.groupBy(_.branch.kind).values.toSeq
    val (refused, plans) = kinds.filter(_.size >= least).partitionMap(over(union, _))
    OfForm(plans, refused ++ unfit, kinds.map(_.size).maxOption.getOrElse(0))
  }

  private def over(union: Union, of: Seq[Placed]): Either[Refusal, SharedBranches] = {
    val branches = of.map(_.branch)
    val rows = branches.head.rows
    val conditions = branches.map(b => Branch.moved(b.condition, b.rows.output, rows.output))
    matchedRows.exploded(rows, conditions, branches.head.read, keepsAll = false).map { matches =>
      val parts = branches.map(_.parts).transpose.map(ApartFromConstants.merged(_, matches.number))
      SharedBranches(branches.head.over(matches, parts, columnsOf(union, of)), of.map(_.place))
    }
  }

  /** A UNION ALL has the columns of its first branch. A column is nullable if it is in any of them. */
  private def columnsOf(union: Union, of: Seq[Placed]): Seq[Attribute] =
    Union(of.map(placed => union.children(placed.place))).output

  /** The branches that stay, and the others, each kind at its first place. */
  private def instead(shared: Seq[SharedBranches], union: Union): LogicalPlan = {
    val gone = shared.flatMap(_.places).toSet
    val stay = union.children.zipWithIndex.collect { case (child, place) if !gone(place) => place -> child }
    val parts = (stay ++ shared.map(s => s.places.head -> s.plan)).sortBy(_._1).map(_._2)
    if (parts.size == 1) parts.head else union.copy(children = parts)
  }
}
