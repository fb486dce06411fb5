package org.streamon.core.routes

/** Entropy of labels, in nats, times the density of what has them: so gains are plain differences. */
private[routes] object Entropy {

  /** @param densities
    *   by label
    */
  def total(densities: Array[Double]): Double = {
    var sum, logs = 0.0
    var l = 0
    while (l < densities.length) {
      sum += densities(l)
      logs += xLogX(densities(l))
      l += 1
    }
    xLogX(sum) - logs
  }

  /** Densities are mostly whole numbers: these are looked up. */
  private def xLogX(x: Double): Double = {
    val whole = x.toInt
    if (whole == x && whole < table.length) table(whole) else computed(x)
  }

  private def computed(x: Double): Double = if (x <= 0.0) 0.0 else x * math.log(x)

  private val table = Array.tabulate(2048)(computed(_))
}
