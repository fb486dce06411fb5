package org.streamon.spark.execution.selections

import org.apache.spark.sql.catalyst.InternalRow
import org.streamon.spark.selections.SerializedConditions

/** Conditions over rows, in one task. They are interpreted at first. A group of them is compiled when its
  * conditions have been evaluated often: in a short task that would take longer than it saves. Not
  * thread-safe.
  *
  * @param conditions
  *   bound to the rows
  */
private[selections] final class RowConditions(conditions: SerializedConditions) {
  import RowConditions._
  import SerializedConditions.GroupSize

  private val interpreted = new Array[InterpretedConditions](conditions.groups)
  private val compiled = new Array[ConditionGroup](conditions.groups)
  private val evaluations = new Array[Int](conditions.groups)

  /** Whether a condition is true of a row; null counts as false. */
  def isTrue(condition: Int, row: InternalRow): Boolean = {
    val group = condition / GroupSize
    if (compiled(group) == null) compileIfOften(group)
    (if (compiled(group) != null) compiled(group) else interpretedOf(group))
      .isTrue(condition % GroupSize, row)
  }

  private def compileIfOften(group: Int): Unit = {
    evaluations(group) += 1
    if (evaluations(group) == CompiledAfter && conditions.groups <= MostCompiled)
      compiled(group) = ConditionGroup.createObject(conditions.group(group))
  }

  private def interpretedOf(group: Int): ConditionGroup = {
    if (interpreted(group) == null) interpreted(group) = new InterpretedConditions(conditions.group(group))
    interpreted(group)
  }
}

private object RowConditions {

  /** Evaluations of a group after which it is compiled. */
  val CompiledAfter = 1000

  /** Groups beyond which none is compiled. Spark keeps a hundred compiled classes in an executor, for all
    * queries: with more, tasks would compile them again and again.
    */
  val MostCompiled = 32
}
