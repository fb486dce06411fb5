package org.streamon.core.routes

import org.streamon.core.filters.ProfileTuple

/** A sampled row, with what tells its kind. One object may serve all samples of a task.
  *
  * @param tuple
  *   what the filters did. A row that none drops tells of its kind too
  */
final class ProfiledRow(val tuple: ProfileTuple) {

  /** @param n
    *   number of filters
    */
  def this(n: Int) = this(new ProfileTuple(n))

  /** Of the row; looked at during the offer only. */
  var values: AttributeValues = _

  /** The route that the row took. Only [[RouteLoop.offer]] looks at it. */
  var route: Int = 0
}
