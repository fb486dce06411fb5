package org.streamon.core.selections

/** How often rules are alive, as if all regions of an attribute were equally frequent and attributes were
  * independent. Immutable.
  *
  * @param size
  *   number of rules
  */
private[selections] final class RuleShares(asked: IndexedSeq[AskedRegions[_]], size: Int) {

  /** By rule, the share of the regions of each attribute that it asks. */
  private val shares = Array.fill(size)(Array.emptyDoubleArray)
  for (attribute <- asked; (rule, of) <- attribute.ranges)
    shares(rule) :+= of.regions.toDouble / attribute.constants.regions

  /** How often all attributes leave a rule alive.
    *
    * @param widening
    *   the share of the regions that the sets of each attribute add to those in which a rule holds
    */
  def alive(rule: Int, widening: Double): Double = {
    var product = 1.0
    var k = 0
    while (k < shares(rule).length) {
      product *= math.min(1.0, shares(rule)(k) + widening)
      k += 1
    }
    product
  }
}
