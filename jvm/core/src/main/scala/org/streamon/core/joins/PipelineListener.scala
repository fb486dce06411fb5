package org.streamon.core.joins

import org.streamon.core.filters.ProfileTuple

/** Is told of the rows that a pipeline samples. */
trait PipelineListener {

  /** A row was sampled, and its order has learned from it if it was dropped.
    *
    * @param tuple
    *   what the filters did; valid during the call
    */
  def sampled(tuple: ProfileTuple): Unit
}

object PipelineListener {
  object None extends PipelineListener {
    def sampled(tuple: ProfileTuple): Unit = ()
  }
}
