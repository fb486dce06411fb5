package org.streamon.spark.errors

import org.apache.spark.sql.catalyst.expressions.{Attribute, Literal, UnsafeRow}
import org.apache.spark.sql.streamon.StreamonError

/** A row that breaks a constraint of a query that lets none be broken. */
final class ConstraintViolation private (text: String)
    extends StreamonError("STREAMON_CONSTRAINT_VIOLATED", text, "23000")

object ConstraintViolation {

  /** @param columns
    *   of the row
    * @param input
    *   by what the query calls it
    * @param broken
    *   the constraints, of which one is; none where it cannot be told
    */
  def apply(
      columns: Seq[Attribute],
      input: String,
      row: UnsafeRow,
      broken: Seq[String]
  ): ConstraintViolation = {
    val values = columns.indices.map { k =>
      s"${columns(k).name} = ${Literal(row.get(k, columns(k).dataType), columns(k).dataType).sql}"
    }
    new ConstraintViolation(
      s"The row (${values.mkString(", ")}) of $input breaks ${texts(broken)}, and " +
        "spark.streamon.join.constraints is strict. Set it to exact, which loses no row whatever comes, or leave " +
        "out the hint that declares it; the query goes on from its checkpoint with either."
    )
  }

  private def texts(broken: Seq[String]) =
    if (broken.isEmpty) "a declared constraint" else broken.distinct.mkString(" or ")
}
