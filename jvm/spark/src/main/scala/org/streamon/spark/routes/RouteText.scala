package org.streamon.spark.routes

import scala.annotation.tailrec
import scala.util.Try
import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.parser.CatalystSqlParser
import org.apache.spark.sql.catalyst.util.quoteIfNeeded
import org.apache.spark.sql.types.Decimal
import org.apache.spark.unsafe.types.UTF8String
import org.streamon.core.routes.{Above, Attribute => RouteAttribute, Branch, Leaf, OneOf, Routes, Tree}
import org.streamon.spark.errors.RoutesError

/** Routes as an expression of SQL, for people and for files. An order is the written positions of conjuncts:
  * {{{
  * CASE WHEN carrier IN ('AA', 'DL') THEN '2,0,1' WHEN delay > 12 OR delay IS NULL THEN '0,1,2' ELSE '1,0,2' END
  * }}}
  */
object RouteText {

  /** Can be read by [[read]], in whatever time zone: dates and times are numbers in it. */
  def write(routes: Routes, attributes: IndexedSeq[RouteAttribute]): String = {
    val exact = attributes.map(_.copy(literal = number))
    def text(tree: Tree): String = tree match {
      case Leaf(route)    => s"'${routes.orders(route).mkString(",")}'"
      case branch: Branch =>
        s"CASE WHEN ${branch.words(exact)} THEN ${text(branch.matching)} " +
          s"ELSE ${text(branch.other)} END"
    }
    text(routes.tree)
  }

  /** A threshold as a number, exactly. */
  private[routes] def number(threshold: Double): String =
    if (threshold.isInfinite) Literal(threshold).sql else threshold.toString

  /** The routes that the options force, if the first order is for so many conjuncts.
    *
    * @throws RoutesError
    *   as `read`
    */
  def forced(options: RouteOptions, attributes: IndexedSeq[RouteAttribute], size: Int): Option[Routes] =
    options.forced.flatMap { text =>
      val expression = parsed(text)
      Option.when(sizeOf(expression).forall(_ == size))(
        new RouteText(text, attributes, size).routes(expression)
      )
    }

  /** Of the first order. */
  @tailrec private def sizeOf(expression: Expression): Option[Int] = expression match {
    case CaseWhen((_, first) +: _, _)  => sizeOf(first)
    case Literal(order: UTF8String, _) => Some(order.toString.split(',').length)
    case _                             => None
  }

  /** The same for several inputs of an operator, each with its attributes: none for an input that they do not
    * fit.
    *
    * @throws RoutesError
    *   as `read`, when they fit no input
    */
  def forcedOfEach(
      options: RouteOptions,
      inputs: IndexedSeq[IndexedSeq[RouteAttribute]],
      size: Int
  ): IndexedSeq[Option[Routes]] = {
    val all = inputs.map(attributes => Try(forced(options, attributes, size)))
    if (all.forall(_.isFailure)) all.foreach(_.get)
    all.map(_.toOption.flatten)
  }

  /** The routes that a text has, if it is one that fits. A folder may hold anything. */
  def fitting(text: String, attributes: IndexedSeq[RouteAttribute], size: Int): Option[Routes] =
    try Some(read(text, attributes, size))
    catch { case NonFatal(_) | _: StackOverflowError => None }

  /** @param size
    *   how many conjuncts
    * @throws RoutesError
    *   when the text is no such expression, or names a column that is not there
    */
  def read(text: String, attributes: IndexedSeq[RouteAttribute], size: Int): Routes =
    new RouteText(text, attributes, size).routes(parsed(text))

  private def parsed(text: String): Expression =
    try CatalystSqlParser.parseExpression(text)
    catch { case NonFatal(_) => throw RoutesError.unreadable(text, text) }
}

private final class RouteText(text: String, attributes: IndexedSeq[RouteAttribute], size: Int) {
  private var orders = Vector.empty[Vector[Int]]

  def routes(expression: Expression): Routes = {
    val tree = node(expression)
    Routes.of(tree, orders)
  }

  private def node(expression: Expression): Tree = expression match {
    case CaseWhen(branches, Some(last)) =>
      branches.foldRight(node(last)) { case ((condition, value), rest) =>
        branch(condition, node(value), rest)
      }
    case Literal(order: UTF8String, _) =>
      orders :+= permutation(order.toString)
      Leaf(orders.size - 1)
    case other => unreadable(other)
  }

  private def permutation(order: String): Vector[Int] = {
    val positions = order.split(',').map(_.trim.toIntOption).toVector
    if (positions.contains(None) || positions.flatten.sorted != (0 until size))
      throw RoutesError.badOrder(text, order, size)
    positions.flatten
  }

  private def branch(condition: Expression, matching: Tree, other: Tree): Branch = condition match {
    case Or(test, IsNull(column: UnresolvedAttribute)) =>
      val found = branch(test, matching, other)
      if (found.test.attribute != indexOf(column)) unreadable(condition)
      // What matches may stand for the other rows of the test.
      found.copy(nullsMatch = found.matching eq matching)
    case GreaterThan(column: UnresolvedAttribute, value) =>
      Branch(Above(number(column, condition), threshold(value)), nullsMatch = false, matching, other)
    case LessThanOrEqual(column: UnresolvedAttribute, value) =>
      Branch(Above(number(column, condition), threshold(value)), nullsMatch = true, other, matching)
    case EqualTo(column: UnresolvedAttribute, value) => branch(In(column, Seq(value)), matching, other)
    case In(column: UnresolvedAttribute, values)     =>
      val index = indexOf(column)
      if (attributes(index).isNumber) unreadable(condition)
      Branch(OneOf(index, values.map(category).toSet), nullsMatch = false, matching, other)
    case _ => unreadable(condition)
  }

  private def number(column: UnresolvedAttribute, condition: Expression): Int = {
    val index = indexOf(column)
    if (attributes(index).isNumber) index else unreadable(condition)
  }

  private def indexOf(column: UnresolvedAttribute): Int = {
    val name = column.nameParts.map(quoteIfNeeded).mkString(".")
    val same = attributes.indexWhere(_.name == name)
    val index = if (same >= 0) same else attributes.indexWhere(_.name.equalsIgnoreCase(name))
    if (index < 0) throw RoutesError.unknownColumn(text, name, attributes.map(_.name)) else index
  }

  private def threshold(value: Expression): Double = constant(value) match {
    case number: Number if !number.doubleValue.isNaN => number.doubleValue
    case decimal: Decimal                            => decimal.toDouble
    case flag: Boolean                               => if (flag) 1.0 else 0.0
    case _                                           => unreadable(value)
  }

  private def category(value: Expression): String = constant(value) match {
    case category: UTF8String => category.toString
    case _                    => unreadable(value)
  }

  private def constant(value: Expression): Any =
    try value.eval()
    catch { case NonFatal(_) => unreadable(value) }

  private def unreadable(part: Expression): Nothing = throw RoutesError.unreadable(text, part.sql)
}
