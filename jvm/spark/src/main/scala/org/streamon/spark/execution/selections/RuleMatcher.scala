package org.streamon.spark.execution.selections

import java.util.Arrays

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.util.{ArrayData, GenericArrayData}
import org.streamon.core.loop.Versioned
import org.streamon.core.selections.{Selector, Sequence}
import org.streamon.spark.execution.RowErrors
import org.streamon.spark.selections.{CompiledSelections, RegionLookup}

/** Finds the rules that hold of a row, in one task. Generated and interpreted code drive it row by row:
  * {{{
  * int column = matcher.begin();
  * while (column >= 0) column = matcher.ask(region of the row in the column);
  * if (matcher.isAlive() && matcher.holds(matcher.readsRow() ? row of what residuals read : null)) ...
  * }}}
  * Reused for every row. Not thread-safe.
  */
final class RuleMatcher(selections: CompiledSelections) {
  import RuleMatcher._

  private val shared = selections.shared
  private val loop = selections.loop
  private val terms = shared.terms.iterator.map(_.rules).toArray
  private val residualOf = shared.residualOf
  private val residuals = new Residuals(shared.residuals)
  private val hasResiduals = shared.residuals.nonEmpty
  private val wholes = new Residuals(shared.wholes)
  private val wholeOf = shared.wholeOf
  private val columns = selections.constructs.size

  // Whether the row has a column whose computation has raised an error.
  private var isUncertain = false

  /** By column. */
  val lookups: Array[RegionLookup] = selections.lookups

  private var seen: Versioned[Sequence] = loop.current
  private var selector = newSelector()

  // The rules that hold of the row, and whether each has been looked at.
  private var found = new Array[Int](16)
  private var count = 0
  private val lookedAt = new Array[Long]((shared.names.size + 63) >>> 6)

  // A sampled row is asked for all columns first.
  private val regions = new Array[Int](columns)
  private var sampledColumn = NotSampled
  private var untilSample = SampleEvery

  // Rows since the loop was last told, and what the selector had counted then.
  private var rows, droppedBefore, askedBefore = 0L

  // Counts of selectors with an older sequence.
  private val askedOfOlder = new Array[Long](columns)
  private var matched, samples = 0L

  /** Rows for which a column was asked. */
  def asked(column: Int): Long = askedOfOlder(column) + selector.askedOf(column)

  /** Pairs of a row and a rule that holds of it. */
  def matches: Long = matched
  def residualsEvaluated: Long = residuals.evaluated + wholes.evaluated
  def sampled: Long = samples

  /** Of the sets of rules, which all tasks of the process share. */
  def bytes: Long = selections.bytes

  /** Begins a row: the number of the column to ask, or a negative one. */
  def begin(): Int = {
    rows += 1
    if (rows == TellEvery) tell()
    isUncertain = false
    untilSample -= 1
    // One column, or none, is in the best order.
    if (untilSample <= 0 && columns > 1) {
      untilSample = SampleEvery
      samples += 1
      sampledColumn = 0
      0
    } else selector.begin()
  }

  /** Goes on with the region of the row in the column that was to be asked. */
  def ask(region: Int): Int =
    if (sampledColumn == NotSampled) selector.ask(region)
    else {
      regions(sampledColumn) = region
      sampledColumn += 1
      if (sampledColumn < columns) sampledColumn
      else {
        sampledColumn = NotSampled
        if (!isUncertain) loop.sampled(regions)
        var column = selector.begin()
        while (column >= 0) column = selector.ask(regions(column))
        Selector.Done
      }
    }

  /** In the place of a region, when the computation of the column has raised an error. It is not known then
    * which rules can hold. Those that read such columns are evaluated as they are written.
    */
  def withhold(error: Throwable): Int = {
    if (RowErrors.isFatal(error)) throw error
    isUncertain = true
    Selector.Unknown
  }

  /** After the last column: whether any rule may hold. */
  def isAlive: Boolean = selector.end()

  /** Whether a rule may hold of which a condition is to be evaluated. */
  def readsRow: Boolean = (hasResiduals || isUncertain) && {
    var term = selector.live.next(0)
    var reads = false
    while (term >= 0 && !reads) {
      val rules = terms(term)
      var k = 0
      while (k < rules.length && !reads) {
        reads = residualOf(rules(k)) >= 0 || isUncertain && wholeOf(rules(k)) >= 0
        k += 1
      }
      term = selector.live.next(term + 1)
    }
    reads
  }

  /** Whether a rule holds.
    *
    * @param row
    *   what residuals read; null where none is needed
    */
  def holds(row: InternalRow): Boolean = {
    count = 0
    if (hasResiduals) residuals.begin(row)
    if (isUncertain) wholes.begin(row)
    var term = selector.live.next(0)
    while (term >= 0) {
      val rules = terms(term)
      var k = 0
      while (k < rules.length) {
        lookAt(rules(k))
        k += 1
      }
      term = selector.live.next(term + 1)
    }
    clearLookedAt()
    matched += count
    count > 0
  }

  private def lookAt(rule: Int): Unit = {
    val bit = 1L << rule
    if ((lookedAt(rule >>> 6) & bit) == 0L) {
      lookedAt(rule >>> 6) |= bit
      if (isTrue(rule)) {
        if (count == found.length) found = Arrays.copyOf(found, 2 * count)
        found(count) = rule
        count += 1
      }
    }
  }

  /** Whether a rule holds of which a term does. */
  private def isTrue(rule: Int): Boolean =
    if (isUncertain && wholeOf(rule) >= 0) wholes.isTrue(wholeOf(rule))
    else residualOf(rule) < 0 || residuals.isTrue(residualOf(rule))

  private def clearLookedAt(): Unit = {
    var term = selector.live.next(0)
    while (term >= 0) {
      val rules = terms(term)
      var k = 0
      while (k < rules.length) {
        lookedAt(rules(k) >>> 6) = 0L
        k += 1
      }
      term = selector.live.next(term + 1)
    }
  }

  /** The names of the rules that hold. */
  def names(): ArrayData = {
    Arrays.sort(found, 0, count)
    val names = new Array[Any](count)
    var k = 0
    while (k < count) {
      names(k) = shared.names(found(k))
      k += 1
    }
    new GenericArrayData(names)
  }

  /** Tells the loop what its sequence has come to, and takes the latest one. */
  def tell(): Unit = {
    loop.account(seen, rows, selector.dropped - droppedBefore, selector.constructsAsked - askedBefore)
    rows = 0
    selections.reviewIfDue()
    val latest = loop.current
    if (latest.version != seen.version) {
      for (column <- 0 until columns) askedOfOlder(column) += selector.askedOf(column)
      seen = latest
      selector = newSelector()
    }
    droppedBefore = selector.dropped
    askedBefore = selector.constructsAsked
  }

  private def newSelector() = new Selector(terms.length, selections.constructs, seen.plan)
}

private object RuleMatcher {

  /** One row in so many is sampled. */
  private val SampleEvery = 50

  /** Rows after which the loop is told. */
  private val TellEvery = 1000

  private val NotSampled = -1
}
