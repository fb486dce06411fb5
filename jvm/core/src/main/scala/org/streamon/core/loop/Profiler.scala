package org.streamon.core.loop

/** The part of the adaptive loop that measures (thesis, Chapter 1): Executors offer it samples of what they
  * run, and it keeps what these tell.
  *
  * @tparam S
  *   a sample; valid during the call only, since an Executor may use one object for all
  */
trait Profiler[S] {

  /** Whether samples are of any use. When false, sampling can be left out. */
  def profiles: Boolean = true

  /** Takes in a sample of the current plan. */
  def offer(sample: S): Unit
}
