package org.streamon.spark.util

object Clock {

  /** What reading the clock takes, to be taken off each measurement. The least of many readings, so many that
    * they have been compiled: cold, they take as long as a conjunct does, which would then count as free.
    */
  val Nanos: Long = {
    var least = Long.MaxValue
    var before = System.nanoTime()
    var reading = 0
    while (reading < 200000) {
      val now = System.nanoTime()
      if (now > before) least = math.min(least, now - before)
      before = now
      reading += 1
    }
    least
  }
}
