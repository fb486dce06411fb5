package org.streamon.spark.execution.selections

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.streamon.SessionOwner
import org.streamon.spark.learning.{LearnedPlan, PlanMemory}
import org.streamon.spark.metrics.{FilterCounts, FilterMonitor, FilterTexts, Reports}
import org.streamon.spark.selections.{ReportedParts, SentSelections}

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
  // Rules over the same columns share what is learned of these: rules change, and columns stay.
  private val parts = IndexedSeq(new ReportedParts("columns", columns), rules.reported)

  // By place.
  private val streaming = {
    val owner = SessionOwner.of(session)
    for (
      ((name, algorithm), part) <-
        IndexedSeq(operator -> "hybrid-sequence", s"$operator, conditions" -> "filter-bank").zip(parts)
    ) yield FilterTexts(owner, name, part.structure.hash, algorithm, part.texts)
  }
  private val batch = streaming.map(t => t.copy(fingerprint = t.fingerprint + source))

  private lazy val memories: IndexedSeq[Option[PlanMemory]] =
    parts.map(part => if (part.texts.size < 2) None else PlanMemory.of(session, part.structure))

  /** The order of columns, or of conditions, to begin with; none when nothing is known. */
  def learned(place: Int): Option[LearnedPlan] =
    memories(place).flatMap(_.recall(streaming(place).conjuncts.size))

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
}
