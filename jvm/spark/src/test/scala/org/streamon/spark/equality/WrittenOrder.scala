package org.streamon.spark.equality

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.classic.{DataFrame, SparkSession}
import org.apache.spark.sql.execution.FilterExec
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper

/** What stock Spark says of each row of a table alone, when it evaluates a conjunction in written order: each
  * row is in a partition of its own, and an error of one does not hide the next. Call it with StreaMon off.
  */
final class WrittenOrder(spark: SparkSession, sandbox: Sandbox, table: RandomTable, condition: String)
    extends PredicateHelper
    with AdaptiveSparkPlanHelper {
  import WrittenOrder._

  private val input = sandbox.rowByRow(table)
  private val frame = {
    input.createOrReplaceTempView("row_by_row")
    spark.sql(s"SELECT id FROM row_by_row t WHERE $condition")
  }

  /** By row. */
  val verdicts: Seq[Verdict] = verdictsOf(frame.queryExecution.toRdd)
  require(verdicts.size == table.rows.size, s"a partition for each row was lost in ${frame.queryExecution}")

  val passing: Set[Long] = idsWhere(_ == Pass)

  /** The error classes that the written order raises on some row. */
  val errors: Set[String] = verdicts.collect { case Fail(error) => error }.toSet

  /** Rows on which the written order raises, and which no conjunct rejects: their error must be raised. */
  def unmaskable: Set[Long] = {
    val conjuncts = filtersOf(frame).flatMap(f => splitConjunctivePredicates(f.condition))
    val rows = input.queryExecution.toRdd.map(_.copy()).collect()
    val bound = conjuncts.flatMap(bind)
    verdicts
      .zip(rows)
      .collect { case (Fail(_), row) if !bound.exists(rejects(_, row)) => row.getLong(0) }
      .toSet
  }

  private def idsWhere(p: Verdict => Boolean): Set[Long] =
    table.rows.zip(verdicts).collect { case (row, verdict) if p(verdict) => row.getLong(0) }.toSet

  private def filtersOf(frame: DataFrame): Seq[FilterExec] =
    collect(frame.queryExecution.executedPlan) { case f: FilterExec => f }

  /** None when it reads what is no column of the table. */
  private def bind(conjunct: Expression): Option[Expression] =
    Option.when(conjunct.references.forall(a => table.schema.fieldNames.contains(a.name)))(
      conjunct.transform { case a: Attribute =>
        BoundReference(table.schema.fieldIndex(a.name), a.dataType, nullable = true)
      }
    )

  private def rejects(conjunct: Expression, row: InternalRow): Boolean =
    try conjunct.eval(row) != true
    catch { case _: Exception => false }
}

object WrittenOrder {
  sealed trait Verdict
  case object Pass extends Verdict
  case object Drop extends Verdict
  final case class Fail(error: String) extends Verdict

  private def verdictsOf(rows: RDD[InternalRow]): Seq[Verdict] = rows
    .mapPartitions { partition =>
      val verdict =
        try if (partition.hasNext) Pass else Drop
        catch { case error: Exception => Fail(Outcome.errorClass(error)) }
      Iterator(verdict)
    }
    .collect()
    .toSeq
}
