package org.streamon.spark.joins.recovery

/** A function for queries that gives back what it gets, except once, when it throws. */
object Fuse {
  private var left = Int.MaxValue

  /** Has it throw at the n-th row from now. */
  def set(n: Int): Unit = synchronized { left = n }

  def blown: Boolean = synchronized(left < 0)

  def apply(k: Int): Int = synchronized {
    if (left < Int.MaxValue && left >= 0) {
      left -= 1
      if (left < 0) throw new IllegalStateException("the fuse")
    }
    k
  }
}
