package org.streamon.core.caching

/** What is done with a candidate (thesis, Section 5.5.2). */
private[core] sealed abstract class CacheState(val name: String)

private[core] object CacheState {

  /** It is looked up and maintained. */
  case object Used extends CacheState("used")

  /** Its benefit and cost are being estimated. */
  case object Profiled extends CacheState("profiled")

  /** Nothing is done for it. */
  case object Unused extends CacheState("unused")
}
