package org.streamon.core

package object joins {

  /** A row by column; null for a null. Values are compared by `==`. */
  type Row = IndexedSeq[Any]
}
