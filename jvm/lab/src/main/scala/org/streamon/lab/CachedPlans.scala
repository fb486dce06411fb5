package org.streamon.lab

/** Curves of a plan's work. */
private[lab] object CachedPlans {
  private val units = Seq[(String, JoinWork => Double)](
    "ns per element, at fixed prices" -> (_.price),
    "steps per element" -> (_.steps),
    "elements per second" -> (_.rate)
  )

  /** At fixed prices, in steps, and as measured.
    *
    * @param curve
    *   makes one of a unit and what it shows
    * @param plan
    *   whose
    */
  def curves[A](curve: String => (A => Double) => Series, plan: A => JoinWork): Seq[Series] =
    units.map { case (unit, value) => curve(unit)(found => value(plan(found))) }

  /** Of some plans in micro-batches, at fixed prices.
    *
    * @param curve
    *   makes one of a plan's name, a unit and what it shows
    */
  def batches[A](
      curve: String => String => (A => Double) => Series,
      plans: (String, A => JoinWork)*
  ): Seq[Series] =
    plans.map { case (name, plan) => curve(s"$name, in micro-batches")(units.head._1)(plan(_).price) }
}
