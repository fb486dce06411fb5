package org.streamon.core.loop

/** A plan and its version: each change of plan has the next one. */
final class Versioned[P](val plan: P, val version: Long)

/** Where a Re-optimizer publishes its plan. Executors of many threads read it without a lock. They hand in
  * the version with each sample: a sample of an older one is void.
  */
final class PlanRef[P](first: P) {
  @volatile private var latest = new Versioned(first, 0L)

  def current: Versioned[P] = latest

  def isCurrent(seen: Versioned[P]): Boolean = seen.version == latest.version

  /** For one writer at a time. */
  def publish(plan: P): Unit = latest = new Versioned(plan, latest.version + 1L)
}
