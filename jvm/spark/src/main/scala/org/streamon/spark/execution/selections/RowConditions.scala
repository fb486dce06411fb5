package org.streamon.spark.execution.selections

import org.apache.spark.sql.catalyst.InternalRow
import org.streamon.spark.selections.SerializedExpression

/** Conditions over rows, in one task. They are compiled in groups, when the first of a group is needed. Not
  * thread-safe.
  *
  * @param conditions
  *   bound to the rows
  */
private[selections] final class RowConditions(conditions: IndexedSeq[SerializedExpression]) {
  import RowConditions._

  private val groups = new Array[ConditionGroup]((conditions.size + GroupSize - 1) / GroupSize)

  /** Whether a condition is true of a row; null counts as false. */
  def isTrue(condition: Int, row: InternalRow): Boolean = {
    val group = condition / GroupSize
    if (groups(group) == null) groups(group) = made(group)
    groups(group).isTrue(condition % GroupSize, row)
  }

  private def made(group: Int): ConditionGroup = {
    val own = conditions.slice(group * GroupSize, (group + 1) * GroupSize).map(_.newInstance())
    if (groups.length <= MostCompiled) ConditionGroup.createObject(own) else new InterpretedConditions(own)
  }
}

private object RowConditions {
  val GroupSize = 16

  /** Groups beyond which none is compiled. Spark keeps a hundred compiled classes in an executor: with more,
    * every task would compile them all.
    */
  val MostCompiled = 32
}
