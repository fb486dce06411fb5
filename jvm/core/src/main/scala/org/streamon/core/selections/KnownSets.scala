package org.streamon.core.selections

import scala.collection.mutable

/** The sets of rules of blocks of regions, each made once. Not thread-safe. */
private[selections] final class KnownSets(constructs: IndexedSeq[Construct[_]]) {
  private val known = constructs.map(_ => mutable.HashMap.empty[Int, RuleSet])

  /** The rules that the construct of an attribute leaves alive in a region. Not to be changed. */
  def apply(attribute: Int, region: Int): RuleSet =
    known(attribute).getOrElseUpdate(
      constructs(attribute).blockOf(region),
      constructs(attribute).retained(region)
    )
}
