package org.streamon.spark.matching.conditions

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical.{EventTimeWatermark, Filter, LogicalPlan, Project}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.apache.spark.sql.types.{ArrayType, StringType}
import org.streamon.spark.learning.Structure
import org.streamon.spark.logical.{MatchRules, Pinned}
import org.streamon.spark.selections.{CompiledSelections, RaisingColumns, SentSelections, SharedSelections}

/** How the rules of a row are found, for one set of rules. It is made once, and used in all micro-batches
  * that have these rules.
  */
private[matching] sealed trait MatchPlan {

  /** The rows of which some rule holds.
    *
    * @param columns
    *   those of the rows, in the order that they had when this was made. Their identities may be others, as
    *   on one side of a self-join
    * @param matched
    *   the column for the names of the rules that hold
    */
  def over(rows: LogicalPlan, columns: Seq[Attribute], matched: Attribute): LogicalPlan

  /** Executors need not keep the rules any more. They ask for them again if they do. */
  def release(): Unit = ()

  /** @throws org.streamon.spark.errors.RuleError
    *   if it takes more memory in an executor than it may
    */
  def checkMemory(): Unit = ()
}

private[matching] object MatchPlan {
  private val Names = ArrayType(StringType, containsNull = false)

  /** A column for the names of rules. */
  def names: Attribute = AttributeReference("rules", Names, nullable = false)()

  /** @param rows
    *   that the rules are about
    * @throws org.streamon.spark.errors.RuleError
    *   for a rule whose constants cannot be computed
    */
  def apply(rows: LogicalPlan, set: ResolvedRules, conf: SQLConf): MatchPlan =
    if (set.isEmpty) NoRules
    else if (!conf.getConf(StreamonConf.Enabled)) new BySpark(rows.output, set)
    else {
      val limit = conf.getConf(StreamonConf.MatchMemory)
      val shared =
        try SharedSelections(named(set), RaisingColumns.of(rows), limit, StreamonConf.areErrorsStrict(conf))
        catch {
          case NonFatal(error) =>
            throw ResolvedRules.uncomputable(set.resolved).headOption.fold(error)(_.error)
        }
      val sent = new SentSelections(shared.selections, shared.residuals, identity(rows, set, conf))
      new ByConstructs(rows.output, shared, sent, limit)
    }

  private def named(set: ResolvedRules): Seq[(String, Expression)] =
    set.resolved.map { case (rule, condition) => rule.rule -> condition }

  /** An expression over the columns of a plan, over others in their places. */
  private def rebased(from: Seq[Attribute], to: Seq[Attribute])(e: Expression): Expression =
    if (from.map(_.exprId) == to.map(_.exprId)) e
    else {
      val columns = AttributeMap(from.zip(to))
      e.transform { case a: Attribute => columns.getOrElse(a, a) }
    }

  /** By one operator for all rules. */
  private final class ByConstructs(
      made: Seq[Attribute],
      shared: SharedSelections.Shared,
      sent: SentSelections,
      limit: Long
  ) extends MatchPlan {
    override def over(rows: LogicalPlan, columns: Seq[Attribute], matched: Attribute): LogicalPlan = {
      val over = rebased(made, columns) _
      val bounded = boundsFor(rows).map(over).reduceOption(And(_, _)).fold(rows)(Filter(_, rows))
      val timed = if (shared.clocks.isEmpty) bounded else Project(rows.output ++ shared.clocks, bounded)
      MatchRules(shared.columns.map(over), shared.read.map(over), sent, matched, timed)
    }

    /** Spark brings them to the scan. But each row moves a watermark, also one of which no rule holds. */
    private def boundsFor(rows: LogicalPlan) =
      if (rows.exists(_.isInstanceOf[EventTimeWatermark])) Nil else shared.bounds

    override def release(): Unit = sent.release()

    override def checkMemory(): Unit = CompiledSelections.checkMemory(shared.selections, limit)
  }

  /** By Spark alone, for when StreaMon is off. */
  private final class BySpark(made: Seq[Attribute], set: ResolvedRules) extends MatchPlan {
    override def over(rows: LogicalPlan, columns: Seq[Attribute], matched: Attribute): LogicalPlan = {
      val cases = named(set).map { case (rule, condition) =>
        If(rebased(made, columns)(condition), Literal(rule), Literal(null, StringType))
      }
      val names = Alias(new ArrayCompact(CreateArray(cases)), matched.name)(exprId = matched.exprId)
      filtered(
        GreaterThan(Size(matched, legacySizeOfNull = false), Literal(0)),
        Project(rows.output :+ names, rows)
      )
    }
  }

  /** In a stream neither what is below nor what is above depends on the condition. */
  private def filtered(condition: Expression, rows: LogicalPlan) =
    if (rows.isStreaming) Pinned(Filter(condition, Pinned(rows))) else Filter(condition, rows)

  /** No rows. The optimizer must not know: it would drop what is below and above, which may have a state. */
  private object NoRules extends MatchPlan {
    override def over(rows: LogicalPlan, columns: Seq[Attribute], matched: Attribute): LogicalPlan = {
      val none = Alias(Literal.create(Seq.empty[String], Names), matched.name)(exprId = matched.exprId)
      filtered(LessThan(Rand(Literal(0L)), Literal(0.0)), Project(rows.output :+ none, rows))
    }
  }

  /** What conditions mean depends on the columns, the settings and the functions, beside their texts. */
  private def identity(rows: LogicalPlan, set: ResolvedRules, conf: SQLConf): Structure = {
    val columns = rows.output.flatMap(a => Seq(a.name, a.dataType.sql))
    val settings = conf.getAllConfs.toSeq.sorted.flatMap { case (key, value) => Seq(key, value) }
    val functions = set.resolved.flatMap(_._2.collect { case f: ScalaUDF =>
      System.identityHashCode(f.function).toString
    })
    Structure("rules", set.rules.flatMap(r => Seq(r.rule, r.condition)) ++ columns ++ settings ++ functions)
  }
}
