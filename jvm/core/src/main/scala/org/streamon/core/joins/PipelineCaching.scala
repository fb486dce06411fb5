package org.streamon.core.joins

import org.streamon.core.loop.Versioned

/** The caches of one input's pipeline, as its Executor sees them. */
trait PipelineCaching {

  /** Called when a row arrives, before anything is looked up for it.
    *
    * @param row
    *   its handle in its own window, which it may enter only later
    * @param order
    *   of the pipeline, as the executor sees it
    * @param arrival
    *   where the executor keeps what is joined; with `PipelineCaching.Places` more places than inputs
    * @return
    *   the nested loop through the caches; null when the row meets none
    */
  private[core] def begin(row: Long, order: Versioned[Array[Int]], arrival: PartialMatch): NestedLoop
}

object PipelineCaching {

  /** Stages other than windows that a pipeline has room for. */
  val Places: Int = 64
}
