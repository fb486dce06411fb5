package org.streamon.core.filters

/** Makes an algorithm by its name. Defaults are those of Table 4.1 of the thesis. */
object OrderingAlgorithms {

  /** Profile tuples. */
  val DefaultWindow = 1000

  /** Profile tuples of one stage of Sweep. */
  val SweepStage = 500

  val DefaultThrashAvoidance = 0.9

  /** Profile tuples without which no order is judged: the first few would turn it at random. Not in the
    * thesis.
    */
  val DefaultEvidence = 32

  /** The most filters that an order is for. A-Greedy's view has a cell for each two of them, and looks at
    * half of the cells after each profile tuple: 125,000 of 500 filters, which takes a tenth of a
    * millisecond.
    */
  val MostFilters = 500

  /** The names that `create` knows. */
  val names: Seq[String] = Seq("a-greedy", "sweep", "independent", "local-swaps", "static")

  /** An algorithm for n filters.
    *
    * @param algorithm
    *   one of `names`
    * @param n
    *   number of filters, 1 to `MostFilters`
    * @param initialOrder
    *   filters by position; repaired where it breaks the precedence
    * @param window
    *   profile tuples kept, at least 1; for Sweep the length of a stage, at most 500
    * @param thrashAvoidance
    *   in (0, 1]: a filter moves ahead when the ratio in place is below this share of its own
    * @param precedence
    *   guards to obey from the start; copied
    * @throws IllegalArgumentException
    *   when an argument is outside what is allowed; it names the argument and the allowed values
    */
  def create(
      algorithm: String,
      n: Int,
      initialOrder: Array[Int],
      window: Int,
      thrashAvoidance: Double,
      precedence: Precedence
  ): OrderingAlgorithm = {
    require(n >= 1 && n <= MostFilters, s"n = $n: allowed are 1 to $MostFilters filters")
    require(window >= 1, s"window = $window: allowed is 1 profile tuple or more")
    requireThrashAvoidance(thrashAvoidance)
    algorithm match {
      case "a-greedy" => new AGreedy(n, initialOrder, window, thrashAvoidance, precedence)
      case "sweep"    => new Sweep(n, initialOrder, math.min(window, SweepStage), thrashAvoidance, precedence)
      case "independent" => new Independent(n, initialOrder, window, thrashAvoidance, precedence)
      case "local-swaps" => new LocalSwaps(n, initialOrder, window, thrashAvoidance, precedence)
      case "static"      => new StaticOrder(n, initialOrder, precedence)
      case other         =>
        throw new IllegalArgumentException(s"algorithm '$other': allowed are ${names.mkString(", ")}")
    }
  }

  private[core] def requireThrashAvoidance(alpha: Double): Unit =
    require(alpha > 0.0 && alpha <= 1.0, s"thrashAvoidance = $alpha: allowed is above 0 and at most 1")
}
