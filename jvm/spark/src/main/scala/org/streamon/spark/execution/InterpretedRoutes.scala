package org.streamon.spark.execution

import org.apache.spark.sql.catalyst.InternalRow
import org.streamon.spark.routes.RouteColumn

/** Sends rows on their routes where Spark generates no code for the stage. */
final class InterpretedRoutes(routes: RouteTask, columns: IndexedSeq[RouteColumn])
    extends (InternalRow => FilterTask) {

  def apply(row: InternalRow): FilterTask = {
    var wanted = routes.begin()
    while (wanted >= 0) {
      val of = columns(wanted)
      val isNull = row.isNullAt(of.ordinal)
      wanted =
        if (of.isNumber) routes.tell(isNull, if (isNull) 0.0 else of.number(row))
        else routes.tell(isNull, if (isNull) null else of.text(row))
    }
    routes.lane
  }
}
