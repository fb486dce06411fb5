package org.streamon.core.caching

/** Which caches are considered. */
sealed abstract class CacheMode(val name: String)

object CacheMode {

  /** None. */
  case object Off extends CacheMode("off")

  /** Those under the prefix invariant, whose maintenance needs no other work (thesis, Section 5.4.1). */
  case object Prefix extends CacheMode("prefix")

  /** Globally-consistent ones too (thesis, Section 5.7). */
  case object Global extends CacheMode("global")

  val all: Seq[CacheMode] = Seq(Off, Prefix, Global)

  def apply(name: String): Option[CacheMode] = all.find(_.name == name)
}
