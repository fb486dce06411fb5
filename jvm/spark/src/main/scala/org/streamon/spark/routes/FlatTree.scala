package org.streamon.spark.routes

import org.apache.spark.unsafe.types.UTF8String
import org.streamon.core.routes.{Above, Branch, Leaf, OneOf, Tree}

/** A tree as rows go through it: nodes are numbers, from 0 at the root, and a leaf is its route, as `-1 -
  * route`. Texts are compared as Spark has them in memory, by their bytes.
  */
final class FlatTree(tree: Tree) {
  private val branches = {
    val found = Vector.newBuilder[Branch]
    def visit(node: Tree): Unit = node match {
      case branch: Branch =>
        found += branch
        visit(branch.matching)
        visit(branch.other)
      case _: Leaf => ()
    }
    visit(tree)
    found.result()
  }

  /** Where a row begins. */
  val root: Int = numberOf(tree)

  private val attributes = branches.map(_.test.attribute).toArray
  private val thresholds = branches.map(b => FlatTree.threshold(b)).toArray
  private val values = branches.map(b => FlatTree.values(b)).toArray
  private val fewValues = values.map(v => if (v.size > FlatTree.Few) null else v.toArray(FlatTree.none))
  private val nullsMatch = branches.map(_.nullsMatch).toArray
  private val matching = branches.map(b => numberOf(b.matching)).toArray
  private val other = branches.map(b => numberOf(b.other)).toArray

  /** Which attribute a node asks for. */
  def attribute(node: Int): Int = attributes(node)

  /** Where a row goes from a node that compares a number. */
  def next(node: Int, isNull: Boolean, number: Double): Int =
    step(node, if (isNull) nullsMatch(node) else !(number <= thresholds(node)))

  /** Where a row goes from a node that looks for a text. */
  def next(node: Int, isNull: Boolean, text: UTF8String): Int =
    step(node, if (isNull) nullsMatch(node) else isOneOf(node, text))

  /** To hash a text takes longer than to compare it with a few. */
  private def isOneOf(node: Int, text: UTF8String): Boolean = {
    val few = fewValues(node)
    if (few == null) values(node).contains(text)
    else {
      var k = 0
      while (k < few.length && !few(k).equals(text)) k += 1
      k < few.length
    }
  }

  private def step(node: Int, matches: Boolean): Int = if (matches) matching(node) else other(node)

  /** Equal branches of one tree lead the same way, so it does not matter which of them is found. */
  private def numberOf(node: Tree): Int = node match {
    case Leaf(route)    => -1 - route
    case branch: Branch => branches.indexOf(branch)
  }
}

private object FlatTree {
  private val Few = 4
  private val none = Array.empty[UTF8String]

  private def threshold(branch: Branch): Double = branch.test match {
    case Above(_, threshold) => threshold
    case _                   => Double.NaN
  }

  private def values(branch: Branch): java.util.HashSet[UTF8String] = {
    val set = new java.util.HashSet[UTF8String]
    branch.test match {
      case OneOf(_, values) => values.foreach(v => set.add(UTF8String.fromString(v)))
      case _                => ()
    }
    set
  }
}
