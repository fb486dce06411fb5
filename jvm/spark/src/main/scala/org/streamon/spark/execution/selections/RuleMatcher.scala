package org.streamon.spark.execution.selections

import java.util.{Arrays, SplittableRandom}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.util.ArrayData
import org.streamon.core.filters.DropProfiling
import org.streamon.core.loop.Versioned
import org.streamon.core.selections.{BankLoop, FilterBank, Selector, Sequence}
import org.streamon.spark.execution.RowErrors
import org.streamon.spark.util.Clock
import org.streamon.spark.selections.{CompiledSelections, RegionLookup, SerializedConditions}

/** Finds the rules that hold of a row, in one task. Generated and interpreted code drive it row by row:
  * {{{
  * int column = matcher.begin();
  * while (column >= 0) column = matcher.ask(region of the row in the column);
  * if (matcher.isAlive() && matcher.holds(matcher.readsRow() ? row of what residuals read : null)) ...
  * }}}
  * Reused for every row. Not thread-safe.
  *
  * @param forced
  *   a sequence to keep; none to follow what is learned
  */
final class RuleMatcher(selections: CompiledSelections, forced: Option[Sequence]) {
  import RuleMatcher._

  private val shared = selections.shared
  private val loop = selections.loop
  private val terms = selections.rulesOf
  private val onlyOf = selections.onlyOf
  private val residualsOf = shared.residualsOf
  private val hasResiduals = shared.residuals.nonEmpty
  private val raisingOf = shared.raisingOf
  private val wholesOf = shared.wholesOf
  private val hasWholes = shared.wholes.nonEmpty
  private val columns = selections.constructs.size

  // What residuals read of the row.
  private var read: InternalRow = _

  private val residuals = newBank(selections.bank, shared.residuals)
  private val wholes = newBank(selections.wholes, shared.wholes)

  // The errors that the computation of columns of the row has raised, and whether there is any.
  private val withheld = new Array[Throwable](columns)
  private var isUncertain = false

  /** By column. */
  val lookups: Array[RegionLookup] = selections.lookups

  private var seen: Versioned[Sequence] = latest
  private var selector = newSelector()

  private val held = new HeldRules(shared.names)

  // Whether each rule of the row has been looked at.
  private val lookedAt = new Array[Long]((shared.names.size + 63) >>> 6)
  private var hasLookedAt = false

  // A sampled row is asked for all columns first. One column, or none, is in the best order.
  private val canSample = columns > 1 && forced.isEmpty
  private var samplesColumns = canSample && loop.wantsSamples
  private val regions = new Array[Int](columns)
  private var sampledColumn = NotSampled
  private val sampling = new DropProfiling(new SplittableRandom, CompiledSelections.SampleProbability)

  // Rows since the loop was last told, and what the selector had counted then.
  private var rows, droppedBefore, askedBefore = 0L

  // Counts of selectors with an older sequence.
  private val askedOfOlder, droppedByOlder = new Array[Long](columns)
  private var told, output, matched, samples = 0L

  /** Rows for which a column was asked. */
  def asked(column: Int): Long = askedOfOlder(column) + selector.askedOf(column)

  /** Rows of which no rule was alive any more when a column had been asked, or by the checks after it. */
  def droppedBy(column: Int): Long = droppedByOlder(column) + selector.droppedBy(column)

  /** Rows so far. */
  def inputRows: Long = told + rows

  /** Those of them of which some rule holds. */
  def outputRows: Long = output

  /** The columns in the order in which they are asked, without micro-arrows. */
  def sequence: IndexedSeq[Int] = seen.plan.macroSequence

  /** The residuals. */
  def bank: FilterBank = residuals

  /** Pairs of a row and a rule that holds of it. */
  def matches: Long = matched
  def residualsEvaluated: Long = residuals.evaluations + wholes.evaluations
  def sampled: Long = samples

  /** Of the sets of rules, which all tasks of the process share. */
  def bytes: Long = selections.bytes

  /** Begins a row: the number of the column to ask, or a negative one. */
  def begin(): Int = {
    rows += 1
    if (rows == TellEvery) tell()
    if (isUncertain) {
      Arrays.fill(withheld.asInstanceOf[Array[AnyRef]], null)
      isUncertain = false
    }
    if (samplesColumns && sampling.sample()) {
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
    * which rules can hold. A rule that the other columns leave alive raises the error. Rules of which a part
    * may guard the column are evaluated as they are written.
    */
  def withhold(column: Int, error: Throwable): Int = {
    if (RowErrors.isFatal(error)) throw error
    isUncertain = true
    withheld(column) = error
    Selector.Unknown
  }

  /** After the last column: whether any rule may hold. */
  def isAlive: Boolean = selector.end()

  /** Whether a rule may hold of which a condition is to be evaluated. */
  def readsRow: Boolean = (hasResiduals || isUncertain && hasWholes) && {
    var term = selector.live.next(0)
    var reads = false
    while (term >= 0 && !reads) {
      val rules = terms(term)
      var k = 0
      while (k < rules.length && !reads) {
        reads = residualsOf(rules(k)).length > 0 || isUncertain && wholesOf(rules(k)).length > 0
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
    held.clear()
    read = row
    var term = selector.live.next(0)
    while (term >= 0) {
      val only = onlyOf(term)
      if (only >= 0) add(only) else lookAtAll(terms(term))
      term = selector.live.next(term + 1)
    }
    if (hasLookedAt) clearLookedAt()
    if (hasResiduals) residuals.end()
    if (isUncertain) wholes.end()
    matched += held.size
    if (held.size > 0) output += 1
    held.size > 0
  }

  /** Rules of which several terms may hold are looked at once. */
  private def lookAtAll(rules: Array[Int]): Unit = {
    hasLookedAt = true
    var k = 0
    while (k < rules.length) {
      val rule = rules(k)
      val bit = 1L << rule
      if ((lookedAt(rule >>> 6) & bit) == 0L) {
        lookedAt(rule >>> 6) |= bit
        add(rule)
      }
      k += 1
    }
  }

  /** Notes a rule of which a term holds, if it holds itself. */
  private def add(rule: Int): Unit = if (isTrue(rule)) held.add(rule)

  private def isTrue(rule: Int): Boolean =
    if (isUncertain && wholesOf(rule).length > 0) wholes.holds(rule)
    else if (isUncertain && raisingOf(rule).length > 0) isTrueOrRaises(rule)
    else !hasResiduals || residualsOf(rule).length == 0 || residuals.holds(rule)

  /** Whether a rule holds whose conditions on all known columns do: if it asks no other. Else it raises the
    * error of the first other one.
    */
  private def isTrueOrRaises(rule: Int): Boolean = {
    for (column <- raisingOf(rule) if withheld(column) != null) throw withheld(column)
    true
  }

  private def clearLookedAt(): Unit = {
    hasLookedAt = false
    var term = selector.live.next(0)
    while (term >= 0) {
      if (onlyOf(term) < 0) {
        val rules = terms(term)
        var k = 0
        while (k < rules.length) {
          lookedAt(rules(k) >>> 6) = 0L
          k += 1
        }
      }
      term = selector.live.next(term + 1)
    }
  }

  /** The names of the rules that hold. */
  def names(): ArrayData = held.names()

  /** The numbers of the rules that hold. */
  def numbers(): ArrayData = held.numbers()

  /** Says that no rule holds of a row that is not alive. */
  def holdNone(): Unit = held.clear()

  /** Tells the loop what its sequence has come to, and takes the latest one. */
  def tell(): Unit = {
    if (forced.isEmpty)
      loop.account(seen, rows, selector.dropped - droppedBefore, selector.constructsAsked - askedBefore)
    told += rows
    rows = 0
    selections.reviewIfDue()
    samplesColumns = canSample && loop.wantsSamples
    val next = latest
    if (next.version != seen.version) {
      for (column <- 0 until columns) {
        askedOfOlder(column) += selector.askedOf(column)
        droppedByOlder(column) += selector.droppedBy(column)
      }
      seen = next
      selector = newSelector()
    }
    droppedBefore = selector.dropped
    askedBefore = selector.constructsAsked
  }

  private def latest: Versioned[Sequence] = forced.fold(loop.current)(new Versioned(_, 0L))

  private def newSelector() = new Selector(terms.length, selections.constructs, seen.plan, selections.checks)

  private def newBank(loop: BankLoop, conditions: SerializedConditions): FilterBank = {
    val compiled = new RowConditions(conditions)
    new FilterBank(
      loop,
      condition => compiled.isTrue(condition, read),
      RowErrors.isFatal,
      clockNanos = Clock.Nanos
    )
  }
}

private object RuleMatcher {

  /** Rows after which the loop is told. */
  private val TellEvery = 1000

  private val NotSampled = -1
}
