package org.streamon.core.filters

/** Keeps the order that it is given, but for guards. It asks for no profile and learns nothing. */
final class StaticOrder(n: Int, initialOrder: Array[Int], precedence: Precedence)
    extends OrderingAlgorithm(n, initialOrder, precedence) {

  def name: String = "static"

  override def profiles: Boolean = false

  def nextPosition(dropPosition: Int, after: Int, dropped: FilterSet): Int = n

  def offer(tuple: ProfileTuple): Unit = ()

  def reoptimize(): Boolean = false

  def meanNanos(q: Int): Double = Double.NaN

  def dropRate(q: Int): Double = Double.NaN

  protected def repaired(): Unit = ()
}
