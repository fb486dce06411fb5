package org.streamon.lab.baselines

import org.streamon.core.joins.HashChains

/** The thesis's executor of k-Mon (Chapter 6), which places each tuple in the Yes, No or Unknown component of
  * its synopsis, and the join without constraints that it is compared with.
  */
package object constraints {

  /** Of a chain of slots. */
  private[constraints] val End: Int = HashChains.End
}
