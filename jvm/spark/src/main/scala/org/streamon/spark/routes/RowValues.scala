package org.streamon.spark.routes

import org.apache.spark.sql.catalyst.InternalRow
import org.streamon.core.routes.AttributeValues

/** The attributes of a row, read from the row itself. One object serves all rows of a task. */
final class RowValues(columns: IndexedSeq[RouteColumn]) extends AttributeValues {
  private val of = columns.toArray

  /** The row at hand. */
  var row: InternalRow = _

  def isNull(attribute: Int): Boolean = row.isNullAt(of(attribute).ordinal)
  def number(attribute: Int): Double = of(attribute).number(row)
  def category(attribute: Int): String = SampledValues.category(of(attribute).text(row))

  /** The route that a tree has for the row. */
  def routeBy(tree: FlatTree): Int = {
    var node = tree.root
    while (node >= 0) {
      val column = of(tree.attribute(node))
      val isNull = row.isNullAt(column.ordinal)
      node =
        if (column.isNumber) tree.next(node, isNull, if (isNull) 0.0 else column.number(row))
        else tree.next(node, isNull, if (isNull) null else column.text(row))
    }
    -1 - node
  }
}
