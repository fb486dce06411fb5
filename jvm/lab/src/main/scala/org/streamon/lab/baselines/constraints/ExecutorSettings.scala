package org.streamon.lab.baselines.constraints

import org.streamon.core.constraints.MonitorSettings

/** How k-Mon runs.
  *
  * @param collectEvery
  *   arrivals between two collections of what constraints call dead, 0 or more. With 0 they are made when
  *   `collect` is called only.
  * @param noComponents
  *   which No tuples are kept
  * @param monitor
  *   how k is learned and watched
  * @throws IllegalArgumentException
  *   when an argument is outside what is allowed
  */
final case class ExecutorSettings(
    collectEvery: Int = 1,
    noComponents: NoComponentPolicy = NoComponentPolicy.UnlessAbsenceIsTold,
    monitor: MonitorSettings = MonitorSettings()
) {
  require(collectEvery >= 0, s"collectEvery = $collectEvery: expected 0 or more arrivals")
}

/** Whether an input's No tuples are kept, by which tuples above them that can join nothing are known. */
sealed trait NoComponentPolicy

object NoComponentPolicy {

  /** Where RIDS or OAC of every join with a parent can tell that a child never comes they are not (thesis,
    * Sections 6.6 and 6.9): tuples above then wait, and see.
    */
  case object UnlessAbsenceIsTold extends NoComponentPolicy

  /** Where they could be left out, that is done as long as it saves memory, and RIDS is used as long as it
    * does: both are measured, on a sample where they are not in use.
    *
    * @param sample
    *   share of No tuples, and of the keys that RIDS knows of, by hash, that are always kept to tell; above 0
    *   and at most 1
    * @param thrash
    *   by which factor the other way must be better to change, 1 or more
    * @param period
    *   arrivals between two decisions, 1 or more
    */
  final case class BySavings(sample: Double = 1.0 / 32, thrash: Double = 1.1, period: Int = 1024)
      extends NoComponentPolicy {
    require(sample > 0 && sample <= 1, s"sample = $sample: expected above 0 and at most 1")
    require(thrash >= 1, s"thrash = $thrash: expected 1 or more")
    require(period > 0, s"period = $period: expected 1 or more arrivals")
  }
}
