package org.streamon.lab

/** The experiments of the thesis's Chapter 4. */
private[lab] object FilterLab extends Lab {
  val name = "filters"

  val experiments: Seq[Experiment] = Seq(
    Convergence.NumberOfFilters,
    Convergence.Selectivity,
    new Convergence.Correlation("4.13", 3),
    new Convergence.Correlation("4.14", 8),
    Breakdown,
    Overhead.AllAlgorithms,
    Overhead.FilterCosts,
    Timeline,
    RateOfChange.Periods,
    new RateOfChange.Costs("4.23", _ => 100000, frequent = true),
    new RateOfChange.Costs("4.24", _.periods.last, frequent = false)
  )
}
