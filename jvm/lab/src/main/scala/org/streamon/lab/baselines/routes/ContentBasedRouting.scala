package org.streamon.lab.baselines.routes

import org.streamon.core.routes.{Attribute, AttributeValues}

/** What an Eddy knows of its operators by content (P. Bizarro et al.: Content-based routing: different plans
  * for different data, VLDB 2005): for each operator its selectivity by the buckets of each attribute, and
  * the one attribute with the largest gain ratio, which classifies rows for this operator. The digest of
  * Query Mesh says no more of it; numbers without a source are chosen here.
  *
  * @param n
  *   number of operators
  */
final class ContentBasedRouting(attributes: IndexedSeq[Attribute], n: Int) {
  import ContentBasedRouting._

  private val width = attributes.size
  private val rows, passed = Array.fill(n * width * Buckets)(0.0)
  private val classifier = new Array[Int](n)
  private val observed = new Array[Long](n)

  private def bucket(row: AttributeValues, attribute: Int): Int =
    if (attributes(attribute).isNumber) math.min((row.number(attribute) * Buckets).toInt, Buckets - 1)
    else Math.floorMod(row.category(attribute).hashCode, Buckets)

  private def at(q: Int, attribute: Int, bucket: Int): Int = (q * width + attribute) * Buckets + bucket

  /** Takes in that operator q has passed the row or not. */
  def observe(q: Int, row: AttributeValues, passes: Boolean): Unit = {
    var a = 0
    while (a < width) {
      val k = at(q, a, bucket(row, a))
      rows(k) += 1.0
      if (passes) passed(k) += 1.0
      a += 1
    }
    observed(q) += 1
    if (observed(q) % Review == 0) review(q)
  }

  /** The attribute that classifies rows for operator q. */
  def classifierOf(q: Int): Int = classifier(q)

  /** Share of the rows like this one that operator q passes; a half of those never seen. */
  def selectivity(q: Int, row: AttributeValues): Double = {
    val k = at(q, classifier(q), bucket(row, classifier(q)))
    (passed(k) + 1.0) / (rows(k) + 2.0)
  }

  private def review(q: Int): Unit = {
    classifier(q) = (0 until width).maxBy(gainRatio(q, _))
    for (k <- at(q, 0, 0) until at(q + 1, 0, 0)) {
      rows(k) /= 2
      passed(k) /= 2
    }
  }

  private def gainRatio(q: Int, attribute: Int): Double = {
    val buckets = (0 until Buckets).map(at(q, attribute, _)).filter(rows(_) > 0.0)
    val all = buckets.map(rows).sum
    def entropy(shares: Double*) = shares.filter(_ > 0.0).map(p => -p * math.log(p)).sum
    def mixed(p: Double) = entropy(p, 1 - p)
    val gain = mixed(buckets.map(passed).sum / all) -
      buckets.map(k => rows(k) / all * mixed(passed(k) / rows(k))).sum
    gain / math.max(entropy(buckets.map(rows(_) / all): _*), LeastEntropy)
  }
}

object ContentBasedRouting {
  private val Buckets = 16

  /** Rows of an operator after which its classifier is chosen anew, and counts lose half their weight. */
  private val Review = 1000

  private val LeastEntropy = 1e-9
}
