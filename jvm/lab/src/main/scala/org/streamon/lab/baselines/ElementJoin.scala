package org.streamon.lab.baselines

import org.streamon.core.joins.Row

/** A join of windows that is told of each row that enters or leaves one, and gives what this changes. */
trait ElementJoin {

  /** A row enters its window; the results that this adds.
    *
    * @param emit
    *   takes each result: row by input
    */
  def insert(input: Int, row: Row)(emit: IndexedSeq[Row] => Unit): Unit

  /** A row leaves its window; the results that this takes back.
    *
    * @throws IllegalArgumentException
    *   when no such row is in the window
    */
  def delete(input: Int, row: Row)(emit: IndexedSeq[Row] => Unit): Unit
}
