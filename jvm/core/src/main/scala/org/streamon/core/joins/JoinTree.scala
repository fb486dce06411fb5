package org.streamon.core.joins

/** A tree of two-way joins over the inputs of a join. */
sealed trait JoinTree {

  /** As bits. */
  def inputs: Long

  /** The join that has an input for a side. */
  def readerOf(input: Int): JoinTree.Node = this match {
    case join @ JoinTree.Node(left, right) =>
      val side = if (Bits.contains(left.inputs, input)) left else right
      if (side == JoinTree.Leaf(input)) join else side.readerOf(input)
    case leaf => throw new IllegalArgumentException(s"no join in $leaf reads $input")
  }
}

object JoinTree {

  final case class Leaf(input: Int) extends JoinTree {
    def inputs: Long = 1L << input
    override def toString: String = input.toString
  }

  final case class Node(left: JoinTree, right: JoinTree) extends JoinTree {
    def inputs: Long = left.inputs | right.inputs
    override def toString: String = s"($left, $right)"
  }

  /** The tree ((a, b), c), ... that joins the inputs in sequence. */
  def leftDeep(inputs: Int*): JoinTree =
    inputs.tail.foldLeft[JoinTree](Leaf(inputs.head))((tree, i) => Node(tree, Leaf(i)))

  /** All trees without a Cartesian product; which side is left does not count. */
  def all(graph: JoinGraph): Seq[JoinTree] = {
    def over(set: Long): Seq[JoinTree] =
      if (Bits.size(set) == 1) Seq(Leaf(Bits.members(set).head))
      else {
        val first = java.lang.Long.lowestOneBit(set)
        for {
          left <- subsets(set).filter(part => part != set && (part & first) != 0L)
          if shared(graph, left, set & ~left) != 0L
          l <- over(left)
          r <- over(set & ~left)
        } yield Node(l, r)
      }
    over(graph.everyInput)
  }

  /** The key classes held on both sides, as bits. */
  private[streamon] def shared(graph: JoinGraph, left: Long, right: Long): Long = {
    def held(inputs: Long) = Bits.members(inputs).map(graph.classesOf).reduce(_ | _)
    held(left) & held(right)
  }

  private def subsets(set: Long): Seq[Long] =
    Bits.members(set).foldLeft(Seq(0L))((parts, k) => parts ++ parts.map(_ | 1L << k))
}
