package org.streamon.spark.execution

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.BasePredicate

/** Evaluates an adaptive filter where Spark generates no code for the stage.
  *
  * @param conjuncts
  *   by written position
  * @param lane
  *   the task that a row goes through
  */
final class InterpretedFilter(
    conjuncts: Array[BasePredicate],
    lane: InternalRow => FilterTask,
    partition: Int
) {
  conjuncts.foreach(_.initialize(partition))

  def passes(row: InternalRow): Boolean = {
    var k = 0
    var pass = true
    val task = lane(row)
    var order = task.startRow()
    var supervised = task.supervised
    while (k < conjuncts.length) {
      try {
        pass = conjuncts(order(k)).eval(row)
        if (supervised) k = task.advance(k, pass)
        else if (pass) k += 1
        else {
          task.drop(k)
          k = conjuncts.length
        }
      } catch {
        case error: Throwable =>
          k = task.withhold(error, k)
          order = task.rowOrder
          supervised = true
      }
    }
    if (supervised) task.verdict() else pass
  }
}
