package org.streamon.spark.sharing

import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.util.UnsafeRowUtils
import org.apache.spark.sql.types.{DoubleType, FloatType}
import org.streamon.spark.errors.Refusal

/** Keys of groups, which must be the same in whichever order the rows of a group are read. */
private[sharing] object GroupingKeys {

  /** Why keys may differ. */
  def refusal(keys: Seq[Expression]): Option[Refusal] =
    keys.find(!isBytes(_)).map(key => Refusal.UnfitKey(key.sql, key.dataType.sql))

  /** Whether equal keys have equal bytes, as floating-point numbers have in Spark's groups. Of others, any
    * row may give the group its key.
    */
  private def isBytes(key: Expression) = key.dataType match {
    case FloatType | DoubleType => true
    case other                  => UnsafeRowUtils.isBinaryStable(other)
  }
}
