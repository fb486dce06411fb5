package org.streamon.spark.routes

import org.streamon.core.routes.{Attribute, Routes}

/** What a task needs to send rows on routes. The driver makes it.
  *
  * @param attributes
  *   what trees may look at
  * @param learned
  *   the routes to begin with, if any were learned
  * @param forced
  *   the routes to keep, if any
  */
final case class Routing(
    attributes: IndexedSeq[Attribute],
    options: RouteOptions,
    learned: Option[Routes],
    forced: Option[Routes]
)
