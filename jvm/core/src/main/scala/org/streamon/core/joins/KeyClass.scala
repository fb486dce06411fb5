package org.streamon.core.joins

/** An equality between columns of two inputs. Inputs and columns count from 0; an input's columns are
  * numbered by itself.
  *
  * @param nullSafe
  *   true for `<=>`, by which null equals null; under `=` null equals nothing
  */
final case class Equality(
    leftInput: Int,
    leftColumn: Int,
    rightInput: Int,
    rightColumn: Int,
    nullSafe: Boolean = false
)

/** Columns that all hold one value in every result: the transitive closure of equalities.
  *
  * @param columns
  *   by input, its columns of this class in ascending order. Of several the first stands for all; see
  *   [[JoinGraph.accepts]].
  * @param nullSafe
  *   whether null may be that value: only when every equality of the class allows it, since one `=` keeps
  *   null out of all its columns
  */
final case class KeyClass(columns: IndexedSeq[IndexedSeq[Int]], nullSafe: Boolean) {

  /** The inputs with a column of this class, as bits. */
  val holders: Long = Bits.where(columns.length)(columns(_).nonEmpty)

  private val first = columns.map(_.headOption.getOrElse(-1)).toArray

  /** The column of an input that stands for its value; -1 when it holds none. */
  def column(input: Int): Int = first(input)
}
