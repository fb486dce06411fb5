package org.streamon.spark.errors

import org.apache.spark.sql.streamon.StreamonError

/** A table function was called with arguments that it does not take. */
final class TableFunctionError private (condition: String, text: String)
    extends StreamonError(condition, text, "42605")

object TableFunctionError {
  def badArguments(function: String, found: Seq[String]): TableFunctionError = new TableFunctionError(
    "STREAMON_TABLE_FUNCTION_ARGUMENTS",
    s"$function was called with (${found.mkString(", ")}). Allowed: nothing, for all queries of the session; the id of " +
      "a query as text, such as 'execution-7'; or TABLE(...), for the executions of a table, a view or a query."
  )
}
