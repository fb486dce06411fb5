package org.streamon.spark.logical

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.logical.Join
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.streamon.core.constraints.ConstraintKind

/** A constraint that a hint declares on named inputs of a block of joins. */
sealed trait DeclaredConstraint {

  /** The hint as it is written, for errors. */
  def text: String

  /** Tells it from the same words in another block. */
  def id: Long
}

object DeclaredConstraint {
  final case class Unique(text: String, id: Long, input: String, columns: Seq[String])
      extends DeclaredConstraint

  final case class Adheres(
      text: String,
      id: Long,
      kind: ConstraintKind,
      parent: String,
      child: String,
      k: Long
  ) extends DeclaredConstraint

  /** An operand of a conjunct as what the hint is about. It travels on the conjunct, as the hint MJOIN does,
    * and says "the left side" instead of naming columns: rules rename these meanwhile, as those of files are
    * in every micro-batch, and no tag of theirs is told.
    *
    * @param operand
    *   which child of the conjunct
    * @param input
    *   whose it is, by the name in the hint
    * @param column
    *   the name of the column that it is, if the hint names that and the conjunct equates it
    */
  final case class Mention(
      declared: DeclaredConstraint,
      operand: Int,
      input: String,
      column: Option[String]
  )

  private val tag = TreeNodeTag[Seq[Mention]]("streamon.constraints")

  /** Adds to what a conjunct, that is nobody else's, says. */
  def mark(conjunct: Expression, mentions: Seq[Mention]): Unit =
    if (mentions.nonEmpty) conjunct.setTagValue(tag, (in(conjunct) ++ mentions).distinct)

  def in(conjunct: Expression): Seq[Mention] = conjunct.getTagValue(tag).getOrElse(Nil)

  /** What is declared of inputs that the join's condition reads. */
  def on(join: Join): Seq[DeclaredConstraint] =
    join.condition.toSeq.flatMap(_.collect { case e => in(e).map(_.declared) }).flatten.distinct
}
