package org.streamon.core.routes

/** The classifier of a Query Mesh: a decision tree over the attributes of a row, with a route in each leaf.
  * Immutable.
  */
sealed abstract class Tree extends Serializable {

  /** The row's route. Allocates nothing. */
  final def route(values: AttributeValues): Int = {
    var at = this
    while (at.isInstanceOf[Branch]) {
      val branch = at.asInstanceOf[Branch]
      at = if (branch.takes(values)) branch.matching else branch.other
    }
    at.asInstanceOf[Leaf].route
  }

  /** The leaves from left to right, those of rows that match first. */
  def leaves: IndexedSeq[Tree.Path]

  /** The rows that take a route, in words. */
  final def words(route: Int, attributes: IndexedSeq[Attribute]): String = {
    val paths = leaves.filter(_.route == route).map(_.words(attributes))
    if (paths.size == 1) paths.head else paths.mkString("(", ") OR (", ")")
  }

  /** Most tests for a row. */
  final def depth: Int = leaves.map(_.steps.size).max

  /** The same tests with other routes in the leaves; a branch whose children agree becomes a leaf. */
  def relabelled(route: Int => Int): Tree

  /** The same tests, with the leaves numbered from left to right. */
  private[routes] final def numbered: Tree = number(0)._1

  private[routes] def number(from: Int): (Tree, Int)
}

final case class Leaf(route: Int) extends Tree {
  def leaves: IndexedSeq[Tree.Path] = Vector(Tree.Path(Vector.empty, route))
  def relabelled(to: Int => Int): Tree = Leaf(to(route))
  private[routes] def number(from: Int): (Tree, Int) = (Leaf(from), from + 1)
}

/** @param nullsMatch
  *   whether rows where the attribute is null go the way of those that match
  */
final case class Branch(test: Test, nullsMatch: Boolean, matching: Tree, other: Tree) extends Tree {

  /** Whether the row goes the way of those that match. */
  def takes(values: AttributeValues): Boolean =
    if (values.isNull(test.attribute)) nullsMatch else test.matches(values)

  /** Of the rows that go the way of those that match, in words. */
  def words(attributes: IndexedSeq[Attribute]): String = {
    val of = attributes(test.attribute)
    test.words(of) + (if (nullsMatch) s" OR ${of.name} IS NULL" else "")
  }

  def leaves: IndexedSeq[Tree.Path] =
    matching.leaves.map(_.after(this, true)) ++ other.leaves.map(_.after(this, false))

  def relabelled(route: Int => Int): Tree =
    (matching.relabelled(route), other.relabelled(route)) match {
      case (a: Leaf, b: Leaf) if a == b => a
      case (a, b)                       => Branch(test, nullsMatch, a, b)
    }

  private[routes] def number(from: Int): (Tree, Int) = {
    val (left, middle) = matching.number(from)
    val (right, end) = other.number(middle)
    (Branch(test, nullsMatch, left, right), end)
  }
}

object Tree {

  /** The way to a leaf.
    *
    * @param steps
    *   each branch with whether the way is that of matching rows
    */
  final case class Path(steps: IndexedSeq[(Branch, Boolean)], route: Int) {
    private[routes] def after(branch: Branch, matching: Boolean): Path =
      Path((branch, matching) +: steps, route)

    /** The rows that come here, in words: `carrier IN ('AA', 'DL') AND delay > 12.0`. */
    def words(attributes: IndexedSeq[Attribute]): String =
      if (steps.isEmpty) "all rows"
      else
        steps
          .groupBy(_._1.test.attribute)
          .toSeq
          .sortBy { case (a, _) => steps.indexWhere(_._1.test.attribute == a) }
          .map { case (a, own) => PathWords(attributes(a), own) }
          .mkString(" AND ")
  }
}
