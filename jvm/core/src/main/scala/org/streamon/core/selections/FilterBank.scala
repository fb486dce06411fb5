package org.streamon.core.selections

import org.streamon.core.loop.Versioned

/** The conditions of many rules that no construct answers, one row at a time: the shared filter bank
  * (CMU-CS-03-176, report 3). A condition is evaluated once for a row at most, and serves every rule that has
  * it. A rule is given up at its first condition that is not true. The order is that of a [[BankLoop]].
  *
  * The error of a condition that is evaluated out of turn is withheld. The conditions of the rule are then
  * taken in written order, and what that says, stands.
  *
  * Reused for every row. Not thread-safe.
  *
  * @param evaluate
  *   whether a condition is true of the row; it may raise an error
  * @param isFatal
  *   tells errors that say nothing about the row
  * @param clock
  *   nanoseconds
  */
final class FilterBank(
    loop: BankLoop,
    evaluate: Int => Boolean,
    isFatal: Throwable => Boolean,
    clock: () => Long = () => System.nanoTime
) {
  import FilterBank._

  private val written = loop.rules
  private val conditions = loop.conditions
  private var seen: Versioned[BankOrder] = loop.current

  // What is known of the row.
  private val verdicts = new Array[Byte](conditions)
  private val errors = new Array[Throwable](conditions)
  private val known = new Array[Int](conditions)
  private var count = 0

  private val sample = new BankSample(conditions)
  private val samples = loop.adapts
  private var untilSample = 1
  private var isSampled = false

  // Evaluations for rows that were not sampled, and these rows.
  private var plainEvaluations, plainRows = 0L

  private val evaluatedOf, droppedBy = new Array[Long](conditions)
  private var sampledRows, withheldRows = 0L
  private var isWithheld = false

  /** Evaluations of all conditions. */
  def evaluations: Long = evaluatedOf.sum

  /** Rows for which a condition was evaluated. */
  def evaluated(condition: Int): Long = evaluatedOf(condition)

  /** Those of them for which it was not true. */
  def dropped(condition: Int): Long = droppedBy(condition)

  /** Rows that were sampled: all conditions of their rules were evaluated. */
  def sampled: Long = sampledRows

  /** Rows on which the error of a condition was withheld. */
  def withheld: Long = withheldRows

  /** Conditions in the order that rules follow now, by rule. */
  def order: BankOrder = seen.plan

  /** A row begins of which some rule may hold that has a condition. */
  def begin(): Unit = {
    if (samples) {
      seen = loop.current
      untilSample -= 1
      isSampled = untilSample <= 0
    }
  }

  /** Whether all conditions of a rule are true of the row. */
  def holds(rule: Int): Boolean = {
    if (isSampled) evaluateAll(written(rule))
    val own = seen.plan.ofRule(rule)
    var k = 0
    while (k < own.length) {
      val verdict = verdictOf(own(k))
      if (verdict == False) return false
      if (verdict == Raised) return inWrittenOrder(rule)
      k += 1
    }
    true
  }

  /** Ends a row. */
  def end(): Unit = {
    if (isSampled && count > 0) endSample()
    else if (count > 0) {
      plainEvaluations += count
      plainRows += 1
    }
    isSampled = false
    if (isWithheld) {
      withheldRows += 1
      isWithheld = false
    }
    while (count > 0) {
      count -= 1
      verdicts(known(count)) = Unknown
      errors(known(count)) = null
    }
  }

  /** The next sample is so far away that samples take a small share of all evaluations. */
  private def endSample(): Unit = {
    loop.offer(sample)
    sample.clear()
    sampledRows += 1
    val plain = if (plainRows == 0) count.toDouble else plainEvaluations.toDouble / plainRows
    untilSample = math.max(SampleEvery, (count / (plain * MostShare)).toInt)
  }

  private def inWrittenOrder(rule: Int): Boolean = {
    val own = written(rule)
    var k = 0
    while (k < own.length) {
      val verdict = verdictOf(own(k))
      if (verdict == Raised) {
        val error = errors(own(k))
        end()
        throw error
      }
      if (verdict == False) {
        isWithheld = true
        while (k < own.length) {
          if (verdicts(own(k)) == Raised) loop.raises(own(k))
          k += 1
        }
        return false
      }
      k += 1
    }
    true
  }

  private def evaluateAll(own: Array[Int]): Unit = {
    var k = 0
    while (k < own.length) {
      if (verdicts(own(k)) == Unknown) {
        val begun = clock()
        val verdict = verdictOf(own(k))
        sample.add(own(k), verdict == False, clock() - begun)
      }
      sample.use(own(k))
      k += 1
    }
  }

  private def verdictOf(condition: Int): Byte = {
    if (verdicts(condition) == Unknown) {
      verdicts(condition) =
        try if (evaluate(condition)) True else False
        catch {
          case error: Throwable =>
            if (isFatal(error)) throw error
            errors(condition) = error
            Raised
        }
      known(count) = condition
      count += 1
      evaluatedOf(condition) += 1
      if (verdicts(condition) == False) droppedBy(condition) += 1
    }
    verdicts(condition)
  }
}

private object FilterBank {
  val Unknown: Byte = 0
  val True: Byte = 1
  val False: Byte = 2
  val Raised: Byte = 3

  /** One row in so many is sampled, of those of which some rule may hold that has a condition. */
  val SampleEvery = 64

  /** Of the evaluations of other rows, at most, that sampled rows may take. */
  val MostShare = 0.03
}
