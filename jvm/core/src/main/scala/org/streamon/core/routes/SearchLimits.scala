package org.streamon.core.routes

/** When a search stops (Query Mesh).
  *
  * @param iterations
  *   k: how often a heuristic search begins anew
  * @param patience
  *   rounds without improvement after which a walk ends; a round is as many neighbours as there are
  *   representatives
  * @param steps
  *   configurations that are tried in all
  * @param nanos
  *   nanoseconds in all; what has begun is finished
  */
final case class SearchLimits(
    iterations: Int = 3,
    patience: Int = 3,
    steps: Int = 1000,
    nanos: Long = 500000000L
) {
  require(iterations >= 1, s"iterations = $iterations: allowed is 1 or more")
  require(patience >= 1, s"patience = $patience: allowed is 1 round or more")
  require(steps >= 1, s"steps = $steps: allowed is 1 or more")
  require(nanos >= 0L, s"nanos = $nanos: allowed is 0 or more")
}
