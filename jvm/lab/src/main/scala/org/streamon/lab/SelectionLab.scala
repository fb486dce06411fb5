package org.streamon.lab

/** The experiments of the paper on shared selections (ASC). */
private[lab] object SelectionLab extends Lab {
  val name = "selections"

  val experiments: Seq[Experiment] =
    Seq(SelectionCosts, SelectionWidths, SelectionDeviations, SelectionDrift)
}
