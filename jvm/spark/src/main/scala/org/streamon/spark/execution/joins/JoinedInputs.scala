package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.expressions.{BasePredicate, UnsafeRow}
import org.streamon.core.joins.{Probe, Synopses}

/** The synopses of a task as the pipelines see them. Rows are slots. The group of the arriving row is looked
  * up once; its chains are then the matches in every window.
  *
  * @param spilled
  *   by input, where its rows are read when they are not in the mirror; null when they are
  * @param widths
  *   columns of each input
  * @param predicates
  *   the residual conditions of the graph
  * @param reads
  *   the inputs that each of them reads
  */
final class JoinedInputs(
    mirror: Mirror,
    spilled: Array[SpilledRows],
    widths: Array[Int],
    predicates: Array[BasePredicate],
    reads: IndexedSeq[Array[Int]]
) extends Synopses {

  /** The arriving row and those joined with it. */
  val combined = new CombinedRow(widths)

  private val cursors = widths.map(new UnsafeRow(_))
  private var input = 0
  private var group: KeyGroup = _

  /** @param group
    *   of the row's key; may be null when no other input is in the mirror
    */
  def arrive(input: Int, row: UnsafeRow, key: UnsafeRow, group: KeyGroup): Unit = {
    var j = 0
    while (j < spilled.length) {
      if (spilled(j) != null) spilled(j).turnTo(key)
      j += 1
    }
    combined.rows(this.input) = cursors(this.input)
    combined.rows(input) = row
    this.input = input
    this.group = group
  }

  /** Points the combined row to what is joined. */
  def combine(joined: Array[Long]): CombinedRow = {
    var j = 0
    while (j < joined.length) {
      point(j, joined)
      j += 1
    }
    combined
  }

  override def satisfies(residual: Int, joined: Array[Long]): Boolean = {
    val read = reads(residual)
    var k = 0
    while (k < read.length) {
      point(read(k), joined)
      k += 1
    }
    predicates(residual).eval(combined)
  }

  override def probe(window: Int, classes: Long, from: Array[Int]): Probe =
    if (spilled(window) == null) new InMirror(window) else new InStore(window)

  private final class InMirror(window: Int) extends Probe {
    private val synopsis = mirror.synopsis(window)
    override def first(joined: Array[Long]): Long = group.heads(window).toLong
    override def next(row: Long, joined: Array[Long]): Long = synopsis.next(row.toInt).toLong
  }

  private final class InStore(window: Int) extends Probe {
    private val rows = spilled(window)
    override def first(joined: Array[Long]): Long = next(-1L, joined)
    override def next(row: Long, joined: Array[Long]): Long =
      if (row + 1 < rows.size) row + 1 else Probe.NoRow
  }

  private def point(j: Int, joined: Array[Long]): Unit =
    if (j != input)
      if (spilled(j) == null) mirror.synopsis(j).pointTo(joined(j).toInt, cursors(j))
      else spilled(j).pointTo(joined(j).toInt, cursors(j))

  combined.rows.indices.foreach(j => combined.rows(j) = cursors(j))
}
