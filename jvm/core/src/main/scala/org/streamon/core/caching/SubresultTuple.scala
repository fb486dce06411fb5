package org.streamon.core.caching

import org.streamon.core.joins.ReferableSynopses

/** Refers to the rows of some windows that are joined: a tuple of their subresult, as caches keep it. */
private[core] final class SubresultTuple(windows: Array[Int], synopses: ReferableSynopses) {

  /** The references taken last, in the sequence of the windows. */
  val references: Array[Long] = new Array[Long](windows.length)

  def read(joined: Array[Long]): Unit = {
    var k = 0
    while (k < windows.length) {
      references(k) = synopses.reference(windows(k), joined(windows(k)))
      k += 1
    }
  }
}
