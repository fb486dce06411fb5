package org.streamon.core.filters

/** Keeps a pause of the machine out of a filter's mean time. */
private[filters] object TimeSamples {

  /** A sample counts for at most this many times the mean so far, ... */
  val ClipFactor = 8.0

  /** ... once so many samples are in. */
  val ClipAfter = 32

  /** No mean is lower, so that ratios of drop rate to time stay finite. Nanoseconds. */
  val Floor = 1.0

  /** The sample as it counts. */
  def clip(nanos: Long, mean: Double, samples: Long): Long =
    if (nanos <= 0L) 0L
    else if (samples < ClipAfter) nanos
    else math.min(nanos, math.ceil(ClipFactor * math.max(mean, Floor)).toLong)
}
