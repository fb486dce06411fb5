package org.streamon.core.routes

import scala.collection.mutable

/** The distinct tuples of a sample, and what every search needs of them: tuples in the order of each number,
  * codes of categories, and the distinct sets of filters that drop a tuple. Immutable.
  *
  * @param n
  *   number of filters
  */
private[routes] final class TrainingSet private (
    val attributes: IndexedSeq[Attribute],
    val n: Int,
    val tuples: IndexedSeq[TrainingTuple]
) {

  /** By tuple. */
  val densities: Array[Double] = tuples.map(_.density).toArray

  /** How many rows the tuples stand for. */
  val density: Double = densities.sum

  private val drops = tuples.map(_.dropped.members)
  private val distinct = drops.distinct

  /** The distinct drop patterns, each by the filters that drop, ascending. */
  val patterns: Array[Array[Int]] = distinct.map(_.toArray).toArray

  /** By tuple, which of the patterns it has. */
  val patternOf: Array[Int] = {
    val index = distinct.zipWithIndex.toMap
    drops.map(index).toArray
  }

  /** By filter, mean nanoseconds over the set, at least 1. */
  val meanNanos: Array[Double] = Array.tabulate(n) { q =>
    val times = tuples.map(_.evaluated(q)).sum
    if (times == 0.0) 1.0 else math.max(tuples.map(_.nanos(q)).sum / times, 1.0)
  }

  /** By attribute, the tuples where it is not null, in the order of the number, NaN last; empty for a
    * category.
    */
  val sorted: Array[Array[Int]] = attributes.indices.map { a =>
    if (attributes(a).isNumber)
      tuples.indices.filterNot(tuples(_).isNull(a)).sortWith((i, j) => less(a, i, j)).toArray
    else Array.empty[Int]
  }.toArray

  /** By attribute, the most frequent values of a category, as far as there are enough rows to tell what they
    * mean; empty for a number.
    */
  val dictionaries: Array[Array[String]] = attributes.indices.map { a =>
    if (attributes(a).isNumber) Array.empty[String]
    else
      tuples
        .filter(t => !t.isNull(a) && t.category(a) != null)
        .groupMapReduce(_.category(a))(_.density)(_ + _)
        .toSeq
        .filter(_._2 >= TrainingSet.LeastShare * density)
        .sortBy { case (value, rows) => (-rows, value) }
        .take(TrainingSet.MostPlaces)
        .map(_._1)
        .sorted
        .toArray
  }.toArray

  /** By attribute and tuple, the index in the dictionary, or [[TrainingSet.Null]] or [[TrainingSet.Other]];
    * empty for a number.
    */
  val codes: Array[Array[Int]] = attributes.indices.map { a =>
    if (attributes(a).isNumber) Array.empty[Int]
    else {
      val index = dictionaries(a).zipWithIndex.toMap
      tuples.map { tuple =>
        if (tuple.isNull(a)) TrainingSet.Null else index.getOrElse(tuple.category(a), TrainingSet.Other)
      }.toArray
    }
  }.toArray

  /** By attribute and tuple, a number's place among thresholds that are tried, or [[TrainingSet.Null]]; empty
    * for a category. Each value has a place of its own when they are few, or else as many rows as the others.
    */
  val places: Array[Array[Int]] = attributes.indices.map { a =>
    if (attributes(a).isNumber) placesOf(a) else Array.empty[Int]
  }.toArray

  /** By attribute, whether all tuples look alike: no test of it tells anything. */
  val isConstant: Array[Boolean] =
    attributes.indices
      .map(a => (if (attributes(a).isNumber) places(a) else codes(a)).distinct.length < 2)
      .toArray

  private def placesOf(a: Int): Array[Int] = {
    val places = Array.fill(tuples.size)(TrainingSet.Null)
    val order = sorted(a)
    val steps = order.indices.map(k => if (k > 0 && less(a, order(k - 1), order(k))) 1 else 0)
    val values = steps.scanLeft(0)(_ + _).tail
    if (values.lastOption.forall(_ < TrainingSet.MostPlaces))
      order.indices.foreach(k => places(order(k)) = values(k))
    else {
      val rows = order.map(densities).sum
      var below, passed = 0.0
      for (k <- order.indices) {
        if (steps(k) == 1) below = passed
        places(order(k)) = (below / rows * TrainingSet.MostPlaces).toInt
        passed += densities(order(k))
      }
    }
    places
  }

  /** Whether tuple i has a smaller number than tuple j. */
  def less(a: Int, i: Int, j: Int): Boolean = {
    val (x, y) = (tuples(i).number(a), tuples(j).number(a))
    x < y || (y.isNaN && !x.isNaN)
  }
}

private[routes] object TrainingSet {

  /** Codes of categories: no value, and a value that no set will have. */
  val Null: Int = -1
  val Other: Int = -2

  /** Share of the rows that have a value, at least, for a set to have it: what a few rows do is chance. */
  val LeastShare: Double = 0.005

  /** Thresholds that are tried for one number, and one more; values that are tried of one category. */
  val MostPlaces: Int = 64

  /** Tuples that can be counted together become one. */
  def apply(attributes: IndexedSeq[Attribute], n: Int, tuples: Seq[TrainingTuple]): TrainingSet = {
    val byKey = mutable.LinkedHashMap.empty[Seq[Any], TrainingTuple]
    for (tuple <- tuples) byKey.updateWith(tuple.key)(known => Some(known.fold(tuple)(_.and(tuple))))
    new TrainingSet(attributes, n, byKey.values.toVector)
  }
}
