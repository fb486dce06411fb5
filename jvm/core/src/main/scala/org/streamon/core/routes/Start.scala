package org.streamon.core.routes

import java.util.random.RandomGenerator

/** Where a heuristic search begins (Query Mesh). */
private[routes] trait Start {

  /** As users write it. */
  def name: String

  def configuration(problem: RouteProblem, budget: SearchBudget, random: RandomGenerator): Configuration
}

private[routes] object Start {

  /** CDA: representatives in one cell of the attributes' domains are a block. A cell is a value of each
    * category and a third of the rows by each number.
    */
  object ContentDriven extends Start {
    val name = "content-driven"

    def configuration(problem: RouteProblem, budget: SearchBudget, random: RandomGenerator): Configuration =
      Configuration(problem.prototypes.map { middle =>
        problem.training.attributes.indices.map { a =>
          if (problem.training.attributes(a).isNumber) math.floor(middle(a) * Ranges) else middle(a)
        }
      })

    private val Ranges = 3
  }

  /** RDA: representatives with the same best route are a block. */
  object RouteDriven extends Start {
    val name = "route-driven"

    def configuration(problem: RouteProblem, budget: SearchBudget, random: RandomGenerator): Configuration =
      Configuration((0 until problem.size).map(r => problem.route(Vector(r))))
  }

  /** RP: the cheapest of some random configurations. */
  object RandomPick extends Start {
    val name = "random-pick"

    def configuration(problem: RouteProblem, budget: SearchBudget, random: RandomGenerator): Configuration = {
      var best = budget.solve(any(problem.size, random))
      var picks = 1
      while (picks < Picks && !budget.isSpent) {
        val next = budget.solve(any(problem.size, random))
        if (next.cost < best.cost) best = next
        picks += 1
      }
      best.configuration
    }

    private def any(size: Int, random: RandomGenerator): Configuration = {
      val blocks = if (size == 0) 1 else 1 + random.nextInt(size)
      Configuration(Vector.fill(size)(random.nextInt(blocks)))
    }

    /** The paper's x, which it gives no value. */
    private val Picks = 10
  }

  /** E1R: one block. */
  object ExtremeOne extends Start {
    val name = "extreme-1-route"

    def configuration(problem: RouteProblem, budget: SearchBudget, random: RandomGenerator): Configuration =
      Configuration(Vector.fill(problem.size)(0))
  }

  /** Extreme-N: one block for each representative. */
  object ExtremeN extends Start {
    val name = "extreme-n"

    def configuration(problem: RouteProblem, budget: SearchBudget, random: RandomGenerator): Configuration =
      Configuration(0 until problem.size)
  }

  val all: Seq[Start] = Seq(ContentDriven, RouteDriven, RandomPick, ExtremeOne, ExtremeN)

  def names: Seq[String] = all.map(_.name)

  /** @throws IllegalArgumentException
    *   for an unknown name
    */
  def apply(name: String): Start = all
    .find(_.name == name)
    .getOrElse(throw new IllegalArgumentException(s"start '$name': allowed are ${names.mkString(", ")}"))
}
