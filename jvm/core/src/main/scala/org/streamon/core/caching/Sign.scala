package org.streamon.core.caching

/** What becomes of the row at hand. */
private[core] final class Sign {

  /** Whether it enters its window, or leaves it. */
  var inserting: Boolean = true

  /** Whether it can be referred to: a row that never enters its window cannot. */
  var isKept: Boolean = true
}
