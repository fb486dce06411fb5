package org.streamon.spark.equality

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.execution.FilterExec
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper

/** What stock Spark says of each row of a table alone, when it evaluates the conjuncts of a trial in written
  * order. Each row is in a partition of its own, and an error of one does not hide the next. Create it and
  * read it with StreaMon off.
  *
  * @param trial
  *   a deterministic one
  */
final class WrittenOrder(spark: SparkSession, sandbox: Sandbox, trial: Trial)
    extends PredicateHelper
    with AdaptiveSparkPlanHelper {
  import WrittenOrder._
  require(trial.isDeterministic)

  private val table = trial.table
  private val input = sandbox.rowByRow(table)
  private val frame = where(trial.condition)

  /** By row. */
  val verdicts: Seq[Verdict] = verdictsOf(frame)

  val passing: Set[Long] = idsOf(verdicts)(_ == Pass)

  /** The error classes that the written order raises on some row. */
  val errors: Set[String] = verdicts.collect { case Fail(error) => error }.toSet

  /** Rows on which the written order raises, and which no conjunct rejects: their error must be raised. */
  lazy val unmaskable: Set[Long] = {
    val unrejected = idsOf(verdicts)(_.isInstanceOf[Fail]) -- rejectedByParts
    trial.conjuncts.filter(isBelowAggregate).foldLeft(unrejected)(_ -- rejectedBy(_))
  }

  /** Spark evaluates a conjunct on the grouping column below the aggregate, with its subquery and before the
    * rest. Elsewhere a subquery becomes a join above the filter, which can hide no error of it.
    */
  private def isBelowAggregate(conjunct: String): Boolean =
    trial.shape == Shape.AboveAggregate && table.schema.fieldNames.tail.forall(!conjunct.contains(_))

  /** Rows that a conjunct of the plan rejects. Spark splits a written conjunct at AND. The first part may
    * raise on a row that a later part rejects.
    */
  private def rejectedByParts: Set[Long] = {
    val bound = filtersOf(frame).flatMap(f => splitConjunctivePredicates(f.condition)).flatMap(bind)
    val rows = input.queryExecution.toRdd.map(_.copy()).collect()
    rows.filter(row => bound.exists(rejects(_, row))).map(_.getLong(0)).toSet
  }

  private def rejectedBy(conjunct: String): Set[Long] =
    idsOf(verdictsOf(where(conjunct)))(_ == Drop)

  private def where(condition: String): DataFrame = input.as("t").where(condition).select("id")

  private def verdictsOf(frame: DataFrame): Seq[Verdict] = {
    val verdicts = frame.queryExecution.toRdd.mapPartitions(verdict).collect().toSeq
    require(verdicts.size == table.rows.size, s"a partition for each row was lost in ${frame.queryExecution}")
    verdicts
  }

  private def idsOf(verdicts: Seq[Verdict])(p: Verdict => Boolean): Set[Long] =
    table.rows.zip(verdicts).collect { case (row, verdict) if p(verdict) => row.getLong(0) }.toSet

  private def filtersOf(frame: DataFrame): Seq[FilterExec] =
    collect(frame.queryExecution.executedPlan) { case f: FilterExec => f }

  /** None when it reads what is no column of the table. */
  private def bind(conjunct: Expression): Option[Expression] = {
    val columns = input.queryExecution.analyzed.output
    Option.when(conjunct.references.subsetOf(AttributeSet(columns)))(
      BindReferences.bindReference(conjunct, columns)
    )
  }

  private def rejects(conjunct: Expression, row: InternalRow): Boolean =
    try conjunct.eval(row) != true
    catch { case _: Exception => false }
}

object WrittenOrder {
  sealed trait Verdict
  case object Pass extends Verdict
  case object Drop extends Verdict
  final case class Fail(error: String) extends Verdict

  private def verdict(partition: Iterator[InternalRow]): Iterator[Verdict] = Iterator(
    try if (partition.hasNext) Pass else Drop
    catch { case error: Exception => Fail(Outcome.errorClass(error)) }
  )
}
