package org.streamon.lab

import org.streamon.core.caching.CacheMode
import org.streamon.core.joins.{Equality, JoinGraph, Row}

/** The thesis's first query: R(A), S(A, B), T(B), joined on A and on B. */
private[lab] object ThreeWay {
  val R = 0
  val S = 1
  val T = 2

  val graph = new JoinGraph(3, Seq(Equality(R, 0, S, 0), Equality(S, 1, T, 0)))

  /** Those of the thesis's Figure 5.7, with the cache of R join S in T's pipeline. */
  val pipelines: Map[Int, Array[Int]] = Map(R -> Array(S, T), S -> Array(R, T), T -> Array(S, R))

  /** With the cache of S join T in R's pipeline. */
  val reversed: Map[Int, Array[Int]] = Map(R -> Array(S, T), S -> Array(T, R), T -> Array(S, R))

  /** Plans with one cache that is always used. */
  val cacheOfRS = JoinContender.settings.copy(mode = CacheMode.Prefix, forced = Seq(1L << R | 1L << S))
  val cacheOfST = JoinContender.settings.copy(mode = CacheMode.Prefix, forced = Seq(1L << S | 1L << T))

  /** A row that holds a value wherever it has a column. */
  def row(input: Int, value: Int): Row = if (input == S) Vector(value, value) else Vector(value)
}
