package org.streamon.spark.execution.selections

import org.apache.spark.sql.catalyst.InternalRow
import org.streamon.spark.selections.SerializedExpression

/** Conditions over rows, in one task. They are interpreted at first. A group of them is compiled when its
  * conditions have been evaluated often: in a short task that would take longer than it saves. Not
  * thread-safe.
  *
  * @param conditions
  *   bound to the rows
  */
private[selections] final class RowConditions(conditions: IndexedSeq[SerializedExpression]) {
  import RowConditions._

  private val groups = new Array[ConditionGroup]((conditions.size + GroupSize - 1) / GroupSize)
  private val evaluations = new Array[Int](groups.length)
  private val interpreted = new Array[InterpretedConditions](conditions.size)

  /** Whether a condition is true of a row; null counts as false. */
  def isTrue(condition: Int, row: InternalRow): Boolean = {
    val group = condition / GroupSize
    if (groups(group) != null) groups(group).isTrue(condition % GroupSize, row)
    else {
      evaluations(group) += 1
      if (evaluations(group) == CompiledAfter && groups.length <= MostCompiled)
        groups(group) = ConditionGroup.createObject(
          conditions.slice(group * GroupSize, (group + 1) * GroupSize).map(_.newInstance())
        )
      if (interpreted(condition) == null)
        interpreted(condition) = new InterpretedConditions(IndexedSeq(conditions(condition).newInstance()))
      interpreted(condition).isTrue(0, row)
    }
  }
}

private object RowConditions {
  val GroupSize = 16

  /** Evaluations of a group after which it is compiled. */
  val CompiledAfter = 1000

  /** Groups beyond which none is compiled. Spark keeps a hundred compiled classes in an executor, for all
    * queries: with more, tasks would compile them again and again.
    */
  val MostCompiled = 32
}
