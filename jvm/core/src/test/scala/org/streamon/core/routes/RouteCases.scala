package org.streamon.core.routes

import java.util.SplittableRandom
import java.util.random.RandomGenerator

import org.streamon.core.filters.{FilterSet, ProfileTuple}

/** A row as tests write it.
  *
  * @param values
  *   by attribute: a Double, a String or null
  */
final case class Row(values: Seq[Any], drops: Set[Int]) extends AttributeValues {
  def isNull(attribute: Int): Boolean = values(attribute) == null
  def number(attribute: Int): Double = values(attribute).asInstanceOf[Double]
  def category(attribute: Int): String = values(attribute).asInstanceOf[String]

  /** Evaluates all filters, and writes that into a profiled row. */
  def profile(nanos: Seq[Long], into: ProfiledRow): Unit = {
    into.values = this
    Row.profile(drops, nanos, into.tuple)
  }
}

object Row {
  def profile(drops: Set[Int], nanos: Seq[Long], into: ProfileTuple): Unit = {
    into.evaluated.clear()
    into.dropped.clear()
    nanos.indices.foreach(into.evaluated.add)
    drops.foreach(into.dropped.add)
    nanos.copyToArray(into.nanos)
  }
}

/** Rows of several kinds: each kind has its own pass rates, and a column tells the kinds apart.
  *
  * @param passes
  *   by kind and filter
  * @param nanos
  *   by filter
  */
final case class Kinds(passes: Seq[Seq[Double]], nanos: Seq[Long]) {
  def n: Int = nanos.size

  /** A row of a kind: its name, and a number that has nothing to do with it. */
  def row(kind: Int, random: RandomGenerator): Row = {
    val drops = (0 until n).filter(q => random.nextDouble() >= passes(kind)(q)).toSet
    Row(Seq(s"k$kind", random.nextInt(50).toDouble), drops)
  }

  def rows(count: Int, seed: Long): Seq[Row] = {
    val random = new SplittableRandom(seed)
    Seq.fill(count)(row(random.nextInt(passes.size), random))
  }

  /** Expected nanoseconds of a row of a kind in an order. */
  def cost(kind: Int, order: Seq[Int]): Double =
    order
      .foldLeft((0.0, 1.0)) { case ((sum, reach), q) => (sum + reach * nanos(q), reach * passes(kind)(q)) }
      ._1
}

object RouteCases {
  val attributes: IndexedSeq[Attribute] = Vector(Attribute.category("kind"), Attribute.number("noise"))

  /** Three kinds, each dropped by a filter of its own. */
  val skewed: Kinds = Kinds(
    Seq(Seq(0.1, 0.9, 0.9), Seq(0.9, 0.1, 0.9), Seq(0.9, 0.9, 0.1)),
    Seq(1000L, 1000L, 1000L)
  )

  /** The same rates for all kinds. */
  val uniform: Kinds = skewed.copy(passes = Seq.fill(3)(Seq(0.3, 0.5, 0.7)))

  def tuple(attributes: Seq[Attribute], row: Row, nanos: Seq[Long], density: Double = 1.0): TrainingTuple =
    new TrainingTuple(
      attributes.indices
        .map(a => if (attributes(a).isNumber && !row.isNull(a)) row.number(a) else 0.0)
        .toArray,
      attributes.indices
        .map(a => if (attributes(a).isNumber || row.isNull(a)) null else row.category(a))
        .toArray,
      attributes.indices.map(row.isNull).toArray,
      FilterSet.of(nanos.size, row.drops.toSeq: _*),
      density,
      nanos.map(_ * density).toArray,
      nanos.map(_ => density).toArray
    )

  def training(attributes: IndexedSeq[Attribute], rows: Seq[Row], nanos: Seq[Long]): TrainingSet =
    TrainingSet(attributes, nanos.size, rows.map(tuple(attributes, _, nanos)))

  /** Rows of one kind, which differ in what drops them. */
  def block(drops: Seq[Set[Int]], nanos: Seq[Long]): BlockProfile = {
    val set = training(Vector(Attribute.number("x")), drops.map(Row(Seq(0.0), _)), nanos)
    BlockProfile.of(set, set.tuples.indices)
  }

  /** Each row by itself is a representative. */
  def singletons(set: TrainingSet): IndexedSeq[IndexedSeq[Int]] = set.tuples.indices.map(Vector(_))
}
