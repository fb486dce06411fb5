package org.streamon.core.loop

import java.util.concurrent.TimeUnit.MILLISECONDS

/** A change of plan.
  *
  * @param timeMicros
  *   microseconds since the epoch
  * @param statistics
  *   what moved it
  */
final case class Decision[+P, +S](timeMicros: Long, oldPlan: P, newPlan: P, statistics: S)

object Decision {
  def now[P, S](oldPlan: P, newPlan: P, statistics: S): Decision[P, S] =
    Decision(MILLISECONDS.toMicros(System.currentTimeMillis), oldPlan, newPlan, statistics)
}
