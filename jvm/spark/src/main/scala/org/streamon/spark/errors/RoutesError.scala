package org.streamon.spark.errors

import org.apache.spark.sql.streamon.StreamonError

/** Routes that are set by hand and cannot be used. */
final class RoutesError private (condition: String, text: String)
    extends StreamonError(condition, text, "42000")

object RoutesError {
  def unknownColumn(routes: String, name: String, allowed: Seq[String]): RoutesError = new RoutesError(
    "STREAMON_ROUTES_UNKNOWN_COLUMN",
    s"The routes $routes ask for the column $name. Allowed: ${listed(allowed)}. These are the columns of the " +
      "filter, or of an input of the MJoin, that a tree may look at: numbers, dates, times, booleans and texts, " +
      "twelve at most. Name one of them."
  )

  def badOrder(routes: String, order: String, size: Int): RoutesError = new RoutesError(
    "STREAMON_ROUTES_BAD_ORDER",
    s"The routes $routes have the order '$order'. Allowed: each of the numbers 0 to ${size - 1} once, separated by " +
      "commas. These are the written positions of the conditions, which EXPLAIN shows."
  )

  /** @param part
    *   what is not understood
    */
  def unreadable(routes: String, part: String): RoutesError = new RoutesError(
    "STREAMON_ROUTES_UNREADABLE",
    s"The routes $routes cannot be read at: $part. Allowed: CASE WHEN condition THEN 'order' ... ELSE 'order' END, " +
      "with the conditions column > number, column <= number, column = 'text' and column IN ('text', ...), each " +
      "with OR column IS NULL where nulls belong to it, and with orders such as '2,0,1'."
  )

  private def listed(names: Seq[String]): String = if (names.isEmpty) "none" else names.mkString(", ")
}
