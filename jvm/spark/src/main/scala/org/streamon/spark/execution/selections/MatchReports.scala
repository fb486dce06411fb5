package org.streamon.spark.execution.selections

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.streamon.SessionOwner
import org.streamon.spark.learning.{LearnedPlan, PlanMemory, Structure}
import org.streamon.spark.metrics.{FilterCounts, FilterMonitor, FilterTexts, Reports}
import org.streamon.spark.selections.{ColumnText, SentSelections}

/** The driver's side of a [[MatchRulesExec]]: it takes what tasks count, and remembers what they learn.
  *
  * @param operator
  *   its name
  * @param source
  *   which rows it reads: batch executions of one structure differ by it
  */
private[selections] final class MatchReports(
    session: SparkSession,
    operator: String,
    columns: Seq[Expression],
    rules: SentSelections,
    source: String
) {
  import MatchReports._

  /** Tells operators with other columns apart. Rules may change. */
  val structure: Structure = Structure("columns", columns.flatMap(typed))

  private val conditions = if (rules.residuals.size <= MostConditions) rules.residuals else Nil

  private val ofConditions = Structure("conditions", conditions.flatMap(typed))

  private def texts(name: String, of: Structure, algorithm: String, parts: Seq[Expression]) =
    FilterTexts(SessionOwner.of(session), name, of.hash, algorithm, parts.map(ColumnText(_)).toIndexedSeq)

  // By place.
  private val streaming = IndexedSeq(
    texts(operator, structure, "hybrid-sequence", columns),
    texts(s"$operator, conditions", ofConditions, "filter-bank", conditions)
  )
  private val batch = streaming.map(t => t.copy(fingerprint = t.fingerprint + source))

  /** Other rules over the same columns know something of their order too. */
  private lazy val memories: IndexedSeq[Seq[PlanMemory]] = {
    def of(parts: Seq[Expression], structures: Structure*) =
      if (parts.size < 2) Nil else structures.flatMap(PlanMemory.of(session, _))
    IndexedSeq(
      of(columns, Structure("rules", Seq(structure.hash, rules.selections.structure.hash)), structure),
      of(conditions, ofConditions)
    )
  }

  /** The order of columns, or of conditions, to begin with; none when nothing is known. */
  def learned(place: Int): Option[LearnedPlan] =
    memories(place).view.flatMap(_.recall(streaming(place).conjuncts.size)).headOption

  /** Whether the order of the conditions is of interest: there may be very many. */
  def hasConditions: Boolean = conditions.nonEmpty

  /** Takes what the tasks of one execution count. */
  def register(): Reports[FilterCounts] = {
    val reports = new Reports[FilterCounts]({ counts =>
      val texts = if (counts.isStreaming) streaming else batch
      val report = FilterMonitor.record(counts, texts(counts.place))
      memories(counts.place).foreach(_.learn(report))
    })
    session.sparkContext.register(reports)
    reports
  }
}

private[selections] object MatchReports {

  /** The counts of columns, and of conditions. */
  val Columns = 0
  val Conditions = 1

  /** Conditions beyond which none is reported: the counts of each task would grow with them. */
  private val MostConditions = 200

  private def typed(e: Expression) = ColumnText(e) +: e.references.toSeq.map(_.dataType.sql)
}
