package org.streamon.spark.equality

import scala.util.Random

import org.streamon.core.routes._
import org.streamon.spark.execution.AdaptiveFilterExec
import org.streamon.spark.routes.RouteText

/** Random trees over the columns of rows, with random orders in the leaves.
  *
  * @param texts
  *   that columns have
  */
final class RandomRoutes(random: Random, texts: Seq[String] = RandomRoutes.texts) {
  import RandomRoutes.{texts => _, _}

  /** As `spark.streamon.filter.routes.forced` has them; none where the filter has no columns for a tree. */
  def of(filter: AdaptiveFilterExec): Option[String] =
    of(filter.routeColumns.map(_.attribute), filter.conjuncts.size)

  /** @param n
    *   how many conditions the orders are of
    */
  def of(attributes: IndexedSeq[Attribute], n: Int): Option[String] =
    Option.when(attributes.nonEmpty) {
      var leaves = 0
      def tree(depth: Int): Tree =
        if (depth == 0 || (depth < Deepest && random.nextInt(4) == 0)) {
          leaves += 1
          Leaf(leaves - 1)
        } else {
          val test = testOf(attributes)
          Branch(test, random.nextBoolean(), tree(depth - 1), tree(depth - 1))
        }
      val root = tree(Deepest)
      val orders = Vector.fill(leaves)(random.shuffle((0 until n).toVector))
      RouteText.write(Routes.of(root, orders), attributes)
    }

  private def testOf(attributes: IndexedSeq[Attribute]): Test = {
    val a = random.nextInt(attributes.size)
    if (attributes(a).isNumber) Above(a, pick(thresholds)) else OneOf(a, Set(pick(texts), pick(texts)))
  }

  private def pick[T](from: Seq[T]): T = from(random.nextInt(from.size))
}

private object RandomRoutes {
  val Deepest = 3

  /** Between the values that random tables have. */
  val thresholds: Seq[Double] = Seq(-1e15, -719162.0, -2.0, -1.0, 0.0, 1.0, 2.0, 7.0, 19782.0, 1e15)
  val texts: Seq[String] = Seq("", "a", "abc", "1", "-2", "1.5", "x", "2024-02-29", "true", "ü")
}
