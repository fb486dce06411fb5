package org.streamon.core.constraints

/** Distances by definition, over all pairs. */
object Distances {

  /** Of each child that comes after a parent tuple of its own, in arrivals of children since the first.
    *
    * @param arrivals
    *   whether of the parent, and the key
    */
  def join(arrivals: Seq[(Boolean, Long)]): Seq[Long] = for {
    (key, at) <- arrivals.zipWithIndex.collect { case ((false, key), at) => (key, at) }
    first = arrivals.indexOf((true, key))
    if key != NoValue && first >= 0 && first < at && !arrivals.slice(0, first).contains((false, key))
  } yield arrivals.slice(first + 1, at + 1).count(!_._1).toLong

  /** Of each value that has come before, the greatest. */
  def clustering(all: Seq[Long]): Seq[Long] = {
    val values = all.filter(_ != NoValue)
    values.indices
      .map(at => (values.indexOf(values(at)), at))
      .collect { case (first, at) if first < at => values.slice(first, at).count(_ != values(at)).toLong }
  }

  /** Of each value that comes after a greater one, the greatest. */
  def scrambling(all: Seq[Long]): Seq[Long] = {
    val values = all.filter(_ != NoValue)
    values.indices
      .map(at => (values.indexWhere(_ > values(at)), at))
      .collect { case (first, at) if first < at && first >= 0 => (at - first).toLong }
  }
}
