package org.streamon.core.routes

/** What each attribute tells of which filters drop a row: the information gain of its best test on each
  * filter's drops, added up. So columns that have nothing to do with the filters do not make clusters.
  */
private[routes] object DropRelevance {

  /** By attribute, from 0 on, with a sum of 1; all equal when none tells anything.
    *
    * @param leastLeaf
    *   share of the rows on either side of a test
    */
  def apply(training: TrainingSet, leastLeaf: Double): IndexedSeq[Double] = {
    val everyone = Array.fill(training.tuples.size)(true)
    val gains = new Array[Double](training.attributes.size)
    for (q <- 0 until training.n) {
      val drops = training.tuples.map(t => if (t.dropped.contains(q)) 1 else 0).toArray
      val splits = new SplitSearch(training, drops, leastLeaf * training.density)
      for (a <- gains.indices) gains(a) += splits.best(a, everyone).fold(0.0)(_.gain)
    }
    val sum = gains.sum
    gains.indices.map(a => if (sum > 0.0) gains(a) / sum else 1.0 / gains.length)
  }
}
