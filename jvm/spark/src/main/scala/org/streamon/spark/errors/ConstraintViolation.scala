package org.streamon.spark.errors

import org.apache.spark.sql.catalyst.expressions.{Attribute, Literal, UnsafeRow}
import org.apache.spark.sql.streamon.StreamonError

/** A row breaks a declared constraint, and the mode is `strict`. */
final class ConstraintViolation private (text: String)
    extends StreamonError("STREAMON_CONSTRAINT_VIOLATED", text, "23000")

object ConstraintViolation {

  /** @param columns
    *   the columns of the row
    * @param input
    *   the name of the input in the query
    * @param broken
    *   the candidates for the constraint that the row breaks; empty when it is unknown
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
        "spark.streamon.join.constraints is strict. Set it to exact, which never loses a result, or remove the hint " +
        "that declares the constraint. With either change the query can continue from its checkpoint."
    )
  }

  private def texts(broken: Seq[String]) =
    if (broken.isEmpty) "a declared constraint" else broken.distinct.mkString(" or ")
}
