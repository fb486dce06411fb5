package org.streamon.spark.errors

import org.apache.spark.sql.streamon.StreamonError

/** A call of a table function has unsupported arguments. */
final class TableFunctionError private (condition: String, text: String)
    extends StreamonError(condition, text, "42605")

object TableFunctionError {
  def badArguments(function: String, found: Seq[String]): TableFunctionError = new TableFunctionError(
    "STREAMON_TABLE_FUNCTION_ARGUMENTS",
    s"The table function $function does not support the arguments (${found.mkString(", ")}). Allowed: no argument, " +
      "for all queries of the session; the id of a query as text, such as 'execution-7'; or TABLE(...), for the " +
      "executions of a table, a view or a query."
  )
}
