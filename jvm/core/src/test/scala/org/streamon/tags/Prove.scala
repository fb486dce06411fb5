package org.streamon.tags

import org.scalatest.Tag

/** Marks what takes longer than a run of all tests should: `make test` leaves it out, `make prove` runs it.
  */
object Prove extends Tag("org.streamon.tags.Prove")
