package org.streamon.spark.selections

import org.apache.spark.sql.catalyst.expressions.Expression
import org.streamon.spark.learning.Structure

/** Columns or conditions that tasks count one by one, and whose order is learned.
  *
  * @param kind
  *   `columns` or `conditions`
  */
private[spark] final class ReportedParts(kind: String, parts: Seq[Expression]) {

  /** As people read them. */
  val texts: IndexedSeq[String] = parts.map(ColumnText(_)).toIndexedSeq

  /** Equal for equal parts over columns of equal types. */
  val structure: Structure =
    Structure(kind, texts.zip(parts).flatMap { case (t, e) => t +: e.references.toSeq.map(_.dataType.sql) })
}
