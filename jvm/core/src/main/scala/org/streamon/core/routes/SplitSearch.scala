package org.streamon.core.routes

/** Finds the test with the largest information gain on labelled tuples. A threshold is a value that occurs,
  * as in C4.5, and of many values some are tried (see [[TrainingSet.places]]). Sets of values are those that
  * come first when values are sorted by their share of one label, which contain the best set where there are
  * two labels (L. Breiman et al.: Classification and Regression Trees, 1984).
  *
  * @param labels
  *   by tuple, from 0 on
  * @param leastDensity
  *   of either side of a test
  */
private[routes] final class SplitSearch(training: TrainingSet, labels: Array[Int], leastDensity: Double) {
  private val labelCount = if (labels.isEmpty) 0 else labels.max + 1

  /** The best test on any attribute; the first of equals.
    *
    * @param members
    *   by tuple, whether it counts
    */
  def best(members: Array[Boolean]): Option[Split] =
    training.attributes.indices.map(best(_, members)).foldLeft(Option.empty[Split])(Split.best)

  /** The best test on one attribute. */
  def best(attribute: Int, members: Array[Boolean]): Option[Split] =
    if (training.isConstant(attribute)) None else bestOf(attribute, members)

  private def bestOf(attribute: Int, members: Array[Boolean]): Option[Split] = {
    val all, nulls = new Array[Double](labelCount)
    val values = if (training.attributes(attribute).isNumber) training.places else training.codes
    var i = 0
    while (i < members.length) {
      if (members(i)) {
        all(labels(i)) += training.densities(i)
        if (values(attribute)(i) == TrainingSet.Null) nulls(labels(i)) += training.densities(i)
      }
      i += 1
    }
    val sides = new Sides(all, nulls, leastDensity)
    if (training.attributes(attribute).isNumber) threshold(attribute, members, all, nulls, sides)
    else sets(attribute, members, all, sides)
  }

  /** Goes up through the numbers; those that are passed do not match any more. */
  private def threshold(
      attribute: Int,
      members: Array[Boolean],
      all: Array[Double],
      nulls: Array[Double],
      sides: Sides
  ): Option[Split] = {
    val sorted = training.sorted(attribute)
    val places = training.places(attribute)
    for (l <- 0 until labelCount) sides.matching(l) = all(l) - nulls(l)
    var found = Option.empty[Double]
    var last = -1
    var k = 0
    while (k < sorted.length) {
      val i = sorted(k)
      if (members(i)) {
        if (last >= 0 && places(last) < places(i) && sides.improves())
          found = Some(training.tuples(last).number(attribute))
        sides.matching(labels(i)) -= training.densities(i)
        last = i
      }
      k += 1
    }
    // Nulls against all numbers.
    if (nulls.exists(_ > 0.0) && last >= 0 && !training.tuples(last).number(attribute).isNaN) {
      java.util.Arrays.fill(sides.matching, 0.0)
      if (sides.improves()) found = Some(training.tuples(last).number(attribute))
    }
    found.map(threshold => sides.split(Above(attribute, threshold + 0.0)))
  }

  private def sets(
      attribute: Int,
      members: Array[Boolean],
      all: Array[Double],
      sides: Sides
  ): Option[Split] = {
    val dictionary = training.dictionaries(attribute)
    val byValue = densities(attribute, members)
    val sums = byValue.map(_.sum)
    val present = sums.indices.filter(sums(_) > 0.0)
    var found = Option.empty[Set[String]]
    // Of two labels the shares of one are those of the other from behind.
    val ones = all.indices.filter(all(_) > 0.0)
    for (l <- if (ones.size == 2) ones.take(1) else ones) {
      val rising = present.sortBy(v => byValue(v)(l) / sums(v))
      for (order <- Seq(rising.reverse, rising)) {
        java.util.Arrays.fill(sides.matching, 0.0)
        var k = 0
        while (k < order.size && k < SplitSearch.MostValues) {
          for (other <- ones) sides.matching(other) += byValue(order(k))(other)
          if (sides.improves()) found = Some(order.take(k + 1).map(dictionary).toSet)
          k += 1
        }
      }
    }
    found.map(set => sides.split(OneOf(attribute, set)))
  }

  /** By value of a category and label. */
  private def densities(attribute: Int, members: Array[Boolean]): Array[Array[Double]] = {
    val codes = training.codes(attribute)
    val byValue = Array.fill(training.dictionaries(attribute).length)(new Array[Double](labelCount))
    var i = 0
    while (i < codes.length) {
      if (members(i) && codes(i) >= 0) byValue(codes(i))(labels(i)) += training.densities(i)
      i += 1
    }
    byValue
  }
}

private object SplitSearch {

  /** A longer list of values is no kind of rows, and would take its time to read. */
  val MostValues = 32
}
