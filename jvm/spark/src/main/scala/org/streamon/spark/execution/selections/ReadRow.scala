package org.streamon.spark.execution.selections

import org.apache.spark.sql.catalyst.expressions.BaseGenericInternalRow
import org.streamon.spark.execution.RowErrors

/** What conditions read of a row, where the computation of a column may have raised an error. Whoever reads
  * the column gets the error, so a condition that does not read it guards it. Reused for every row.
  */
final class ReadRow(override val numFields: Int) extends BaseGenericInternalRow {
  private val values = new Array[Any](numFields)
  private val errors = new Array[Throwable](numFields)

  override def update(column: Int, value: Any): Unit = {
    values(column) = value
    errors(column) = null
  }

  override def setNullAt(column: Int): Unit = update(column, null)

  /** Keeps an error in the place of a value. */
  def raise(column: Int, error: Throwable): Unit = {
    if (RowErrors.isFatal(error)) throw error
    errors(column) = error
  }

  override protected def genericGet(column: Int): Any =
    if (errors(column) == null) values(column) else throw errors(column)
}
