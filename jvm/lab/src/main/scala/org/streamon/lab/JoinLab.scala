package org.streamon.lab

/** The orders of MJoins: what of the thesis's Chapter 5 needs no caches, and a change that it does not show.
  */
private[lab] object JoinLab extends Lab {
  val name = "joins"

  val experiments: Seq[Experiment] = Seq(FourWay, JoinDrift)
}
