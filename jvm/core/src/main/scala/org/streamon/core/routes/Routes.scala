package org.streamon.core.routes

import org.streamon.core.filters.{Orders, Precedence}

/** The plan of a Query Mesh: a few complete orders, and a tree that says which of them a row takes. Rows of
  * one kind have one order and no tree, which is a tree of a single leaf. Immutable.
  *
  * @param orders
  *   by route, filters by position; every route is in a leaf, and no two are equal
  */
final case class Routes(tree: Tree, orders: IndexedSeq[IndexedSeq[Int]]) {
  require(orders.nonEmpty, "0 routes: at least 1 is needed")
  orders.foreach(order => Orders.requirePermutation(order.toArray, orders.head.size))
  require(
    tree.leaves.map(_.route).toSet == orders.indices.toSet,
    s"leaves with the routes ${tree.leaves.map(_.route).mkString(", ")}: expected each of 0 to ${orders.size - 1}"
  )

  /** Whether all rows take one order. */
  def isSingle: Boolean = orders.size == 1

  def obeys(precedence: Precedence): Boolean = orders.forall(order => precedence.obeyedBy(order.toArray))

  /** @throws IllegalArgumentException
    *   when the tree asks for an attribute that is not there or is of the other kind
    */
  def requireAttributes(attributes: IndexedSeq[Attribute]): Unit =
    for (path <- tree.leaves; (branch, _) <- path.steps) {
      val number = branch.test.isInstanceOf[Above]
      val a = branch.test.attribute
      require(
        attributes.indices.contains(a) && attributes(a).isNumber == number,
        s"a test of attribute $a as a ${if (number) "number" else "category"}: allowed are " +
          attributes.indices
            .map(i =>
              s"$i (${attributes(i).name}, a ${if (attributes(i).isNumber) "number" else "category"})"
            )
            .mkString(", ")
      )
    }
}

object Routes {

  /** One order for all rows. */
  def single(order: IndexedSeq[Int]): Routes = Routes(Leaf(0), Vector(order))

  /** Equal orders become one route, and routes count from 0 by their first leaf.
    *
    * @param orders
    *   by the number in a leaf
    */
  def of(tree: Tree, orders: Int => IndexedSeq[Int]): Routes = {
    val byLeaf = tree.leaves.map(path => path.route -> orders(path.route))
    val distinct = byLeaf.map(_._2).distinct
    Routes(tree.relabelled(byLeaf.toMap.view.mapValues(distinct.indexOf(_)).toMap), distinct)
  }
}
