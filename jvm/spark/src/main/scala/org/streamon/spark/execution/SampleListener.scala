package org.streamon.spark.execution

import org.streamon.core.filters.ProfileTuple

/** Is told of what a task learns beside its order. */
trait SampleListener {

  /** A row was profiled, and no conjunct raised on it. */
  def profiled(tuple: ProfileTuple): Unit

  /** `guard` dropped a row on which `guarded` raises. */
  def guarded(guard: Int, guarded: Int): Unit
}

object SampleListener {
  object None extends SampleListener {
    def profiled(tuple: ProfileTuple): Unit = ()
    def guarded(guard: Int, guarded: Int): Unit = ()
  }
}
