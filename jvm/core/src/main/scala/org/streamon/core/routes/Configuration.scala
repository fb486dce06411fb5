package org.streamon.core.routes

import java.util.random.RandomGenerator

/** A multi-route configuration (Query Mesh): a set partition of the representatives, one route a block. A
  * node of the search space. Immutable; equal partitions are equal.
  *
  * @param blocks
  *   by representative, the number of its block: a restricted growth string, so blocks count from 0 by their
  *   first member
  */
private[routes] final class Configuration private (val blocks: IndexedSeq[Int]) {
  def size: Int = blocks.size

  def blockCount: Int = blocks.maxOption.fold(0)(_ + 1)

  /** The members of each block. */
  def members: IndexedSeq[IndexedSeq[Int]] =
    (0 until blockCount).map(b => blocks.indices.filter(blocks(_) == b))

  /** A random neighbour: one block is split in two, or two are merged. Itself when it has no neighbour.
    *
    * @param random
    *   splits and merges have equal chances where both are possible, and so have the blocks of each
    */
  def neighbour(random: RandomGenerator): Configuration = {
    val divisible = members.filter(_.size > 1)
    val mergeable = blockCount > 1
    if (divisible.isEmpty && !mergeable) this
    else if (divisible.isEmpty || mergeable && random.nextBoolean()) merge(random)
    else split(divisible(random.nextInt(divisible.size)), random)
  }

  private def merge(random: RandomGenerator): Configuration = {
    val one = random.nextInt(blockCount)
    val other = (one + 1 + random.nextInt(blockCount - 1)) % blockCount
    Configuration(blocks.map(b => if (b == one) other else b))
  }

  private def split(block: IndexedSeq[Int], random: RandomGenerator): Configuration = {
    var leaving = Set.empty[Int]
    while (leaving.isEmpty || leaving.size == block.size)
      leaving = block.filter(_ => random.nextBoolean()).toSet
    Configuration(blocks.zipWithIndex.map { case (b, i) => if (leaving(i)) blockCount else b })
  }

  override def equals(other: Any): Boolean = other match {
    case c: Configuration => blocks == c.blocks
    case _                => false
  }

  override def hashCode: Int = blocks.hashCode

  /** As the paper writes it, members counting from 1: `12/3/4`. */
  override def toString: String =
    members.map(_.map(_ + 1).mkString(if (size > 9) "," else "")).mkString("/")
}

private[routes] object Configuration {

  /** Elements with equal labels are in one block.
    *
    * @param labels
    *   by representative
    */
  def apply[A](labels: IndexedSeq[A]): Configuration = {
    val numbers = labels.distinct.zipWithIndex.toMap
    new Configuration(labels.map(numbers).toVector)
  }

  /** All set partitions of so many elements, as restricted growth strings in lexicographic order: as many as
    * the Bell number says. Each is made when it is asked for.
    */
  def all(size: Int): Iterator[Configuration] =
    Iterator.unfold(Option(Vector.fill(size)(0))) {
      case None          => None
      case Some(current) => Some((new Configuration(current), next(current)))
    }

  /** The last digit that may grow does: it may be one above all before it. Those behind it become 0. */
  private def next(string: Vector[Int]): Option[Vector[Int]] = {
    val last = string.indices.reverse.find(i => i > 0 && string(i) <= string.take(i).max)
    last.map(i => string.take(i) ++ Vector(string(i) + 1).padTo(string.size - i, 0))
  }
}
