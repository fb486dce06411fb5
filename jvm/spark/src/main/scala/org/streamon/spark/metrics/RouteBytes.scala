package org.streamon.spark.metrics

import org.streamon.core.routes.{Branch, Leaf, OneOf, Routes, Tree}

/** What routes take in memory, about: sets of values may be long. */
private[metrics] object RouteBytes {
  def of(routes: Routes): Long = of(routes.tree) + routes.orders.map(60L + 20L * _.size).sum

  def of(tree: Tree): Long = tree match {
    case Leaf(_)                                      => 20L
    case Branch(OneOf(_, values), _, matching, other) =>
      150L + values.toSeq.map(100L + 2L * _.length).sum + of(matching) + of(other)
    case Branch(_, _, matching, other) => 100L + of(matching) + of(other)
  }
}
