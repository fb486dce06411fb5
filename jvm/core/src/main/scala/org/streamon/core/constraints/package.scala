package org.streamon.core

import org.streamon.core.joins.HashChains

/** k-Mon (thesis, Chapter 6): joins that keep less because streams nearly obey constraints.
  *
  * Values are longs. A caller with others numbers them, so that equal values have equal numbers, and for OAP
  * and OAC in the values' order; a key of several columns is numbered as one.
  */
package object constraints {

  /** Stands for a null: joins nothing. */
  val NoValue: Long = Long.MinValue

  /** Of a chain of slots. */
  private[constraints] val End: Int = HashChains.End

  /** A k that cannot be relied on. */
  val Infinite: Long = Long.MaxValue
}
