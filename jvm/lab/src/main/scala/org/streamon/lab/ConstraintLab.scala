package org.streamon.lab

/** The experiments of the thesis's Chapter 6: k-constraints. */
private[lab] object ConstraintLab extends Lab {
  val name = "constraints"

  val experiments: Seq[Experiment] = Seq(
    RidsMemory,
    CaMemory,
    OapMemory,
    OacMemory,
    RidsAdaptivity,
    CaAdaptivity,
    OapAdaptivity,
    ConstraintPair,
    ConstraintChoice,
    ConstraintTimes,
    LinearRoad
  )
}
