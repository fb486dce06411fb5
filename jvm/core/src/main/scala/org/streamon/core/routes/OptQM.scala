package org.streamon.core.routes

import java.util.random.RandomGenerator

/** Opt-QM (Query Mesh, Figure 5): every configuration, as far as the budget lets it. */
private[routes] object OptQM extends RouteSearch {
  val name = "opt-qm"

  /** More have above 115975 configurations. */
  val MostRepresentatives = 10

  protected def run(
      problem: RouteProblem,
      start: Start,
      budget: SearchBudget,
      random: RandomGenerator
  ): Unit = {
    require(
      problem.size <= MostRepresentatives,
      s"$name with ${problem.size} representatives: allowed are 1 to $MostRepresentatives"
    )
    val configurations = Configuration.all(problem.size)
    while (configurations.hasNext && !budget.isSpent) budget.solve(configurations.next())
  }
}
