package org.streamon.core.routes

import org.streamon.core.filters.ProfileTuple

/** A sampled row, with what tells its kind. One object serves all samples of a task.
  *
  * @param n
  *   number of filters
  */
final class ProfiledRow(n: Int) {

  /** Of the row; looked at during the offer only. */
  var values: AttributeValues = _

  /** The route that the row took. */
  var route: Int = 0

  /** What the filters did. A row that none drops tells of its kind too: `dropPosition` is n then. */
  val tuple: ProfileTuple = new ProfileTuple(n)
}
