package org.streamon.spark.execution

import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext
import org.streamon.spark.routes.RouteColumn

/** Generated code that sends a row on its route. The tree is data, so it changes without recompiling. A
  * column is read when the tree asks for it, and is then there for the conjuncts too.
  *
  * @param columns
  *   that the tree may ask for
  */
final class RouteCodegen(ctx: CodegenContext, slots: ColumnSlots, columns: Seq[RouteColumn]) {

  /** Statements that choose the lane of a row, and the variable that they put it into.
    *
    * @param routes
    *   the [[RouteTask]]
    */
  def lane(routes: String): (String, String) = {
    val (wanted, lane) = (ctx.freshName("wanted"), ctx.freshName("lane"))
    val cases = columns.zipWithIndex.map { case (of, index) =>
      val value = slots.value(of.column)
      val told = if (of.isNumber) of.toNumber(value) else value
      val isNull = slots.isNull(of.column)
      // A value that is null may be no object, and has no methods then.
      val safe = if (of.isNumber && isNull != "false") s"$isNull ? 0.0D : $told" else told
      s"""
         |case $index: {
         |  ${slots.fillEarly(of.column)}
         |  $wanted = $routes.tell($isNull, $safe);
         |  break;
         |}
       """.stripMargin
    }
    val choice =
      s"""
         |int $wanted = $routes.begin();
         |while ($wanted >= 0) {
         |  switch ($wanted) {
         |    ${cases.mkString("\n")}
         |  }
         |}
         |${classOf[FilterTask].getName} $lane = $routes.lane();
       """.stripMargin
    (choice, lane)
  }
}
