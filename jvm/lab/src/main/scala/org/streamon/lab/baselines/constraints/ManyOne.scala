package org.streamon.lab.baselines.constraints

/** A many-one join: a tuple of the parent joins at most one of the child, ever. Inputs and columns count from
  * 0; an input's columns are numbered by itself.
  */
final case class ManyOne(parent: Int, parentColumn: Int, child: Int, childColumn: Int) {
  override def toString: String = s"$parent.$parentColumn -> $child.$childColumn"

  /** The column of one of its two inputs. */
  def columnOf(input: Int): Int = if (input == parent) parentColumn else childColumn

  def other(input: Int): Int = if (input == parent) child else parent
}
