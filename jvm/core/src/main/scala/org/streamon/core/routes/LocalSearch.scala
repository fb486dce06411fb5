package org.streamon.core.routes

import java.util.random.RandomGenerator

import scala.annotation.tailrec

/** A random walk over neighbouring configurations, begun anew k times. The first walk begins at the start
  * solution. The paper begins all of them there, and the starts that draw no lots would lead to the same
  * place: a later one begins where a few random steps from it lead.
  */
private[routes] sealed abstract class LocalSearch extends RouteSearch {

  /** The temperature that a walk begins with, as a share of the cost of its first solution. */
  protected def heat: Double

  final override def soon(limits: SearchLimits): SearchLimits =
    limits.copy(steps = math.min(limits.steps, LocalSearch.Soon))

  protected final def run(
      problem: RouteProblem,
      start: Start,
      budget: SearchBudget,
      random: RandomGenerator
  ): Unit = {
    val origin = start.configuration(problem, budget, random)
    var iteration = 0
    while (iteration < budget.limits.iterations && !budget.isSpent) {
      val from = if (iteration == 0) origin else perturbed(origin, 2 + problem.size / 4, random)
      walk(budget.solve(from), budget, random)
      iteration += 1
    }
  }

  @tailrec private def perturbed(
      configuration: Configuration,
      steps: Int,
      random: RandomGenerator
  ): Configuration =
    if (steps == 0) configuration else perturbed(configuration.neighbour(random), steps - 1, random)

  /** Ends when so many neighbours in a row have not improved on the best of the walk: with a temperature of
    * 0, in an r-local minimum.
    */
  private def walk(from: Solution, budget: SearchBudget, random: RandomGenerator): Unit = {
    var current = from
    var best = from.cost
    var temperature = heat * from.cost
    val enough = budget.limits.patience * math.max(from.configuration.size, LocalSearch.LeastRound)
    var failed = 0
    while (failed < enough && !budget.isSpent) {
      val next = budget.solve(current.configuration.neighbour(random))
      if (accepts(next.cost - current.cost, temperature, random)) current = next
      if (next.cost < best) {
        best = next.cost
        failed = 0
      } else failed += 1
      temperature *= LocalSearch.Cooling
    }
  }

  private def accepts(difference: Double, temperature: Double, random: RandomGenerator): Boolean =
    difference < 0.0 ||
      temperature > 0.0 && random.nextDouble() < math.exp(-difference / temperature)
}

private object LocalSearch {

  /** Few representatives have more neighbours than they are. */
  val LeastRound = 8

  /** Steps of a first search. The start that is the default is near the best where kinds can be told apart.
    */
  val Soon = 10

  /** Rho, which the paper gives no value. */
  val Cooling = 0.95
}

/** II-QM (Query Mesh, Figure 6), iterative improvement: only cheaper neighbours are taken. */
private[routes] object IIQM extends LocalSearch {
  val name = "ii-qm"
  protected val heat = 0.0
}

/** SA-QM (Query Mesh, Figure 7), simulated annealing. The best solution is kept beside the walk; as printed,
  * the walk would go back to its start each time.
  */
private[routes] object SAQM extends LocalSearch {
  val name = "sa-qm"

  /** Tau, which the paper gives no value. */
  protected val heat = 0.02
}
