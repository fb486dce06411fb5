package org.streamon.core.selections

import java.util.SplittableRandom
import java.util.random.RandomGenerator

import org.streamon.core.filters.DropProfiling
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
  * @param clockNanos
  *   what reading the clock takes
  * @param random
  *   tells which rows are sampled
  */
final class FilterBank(
    loop: BankLoop,
    evaluate: Int => Boolean,
    isFatal: Throwable => Boolean,
    clock: () => Long = () => System.nanoTime,
    clockNanos: Long = 0L,
    random: RandomGenerator = new SplittableRandom
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
  private var isOpen, isSampled, isWithheld = false

  private val samples = loop.adapts
  private lazy val sample = new BankSample(conditions)
  private val sampling = new DropProfiling(random, if (samples) BankLoop.SampleProbability else 0.0)

  // Evaluations for rows that were not sampled, and these rows.
  private var plainEvaluations, plainRows = 0L

  // Conditions of which the loop has been told that they raise errors out of turn.
  private lazy val isTold = new Array[Boolean](conditions)

  private val evaluatedOf, droppedBy = new Array[Long](conditions)
  private var sampledRows, withheldRows = 0L

  /** Evaluations of all conditions. */
  def evaluations: Long = evaluatedOf.sum

  /** Rows for which a condition was evaluated. */
  def evaluated(condition: Int): Long = evaluatedOf(condition)

  /** Those of them for which it was not true. */
  def dropped(condition: Int): Long = droppedBy(condition)

  /** Rows that were sampled: all conditions of their rules were evaluated. */
  def sampled: Long = sampledRows

  /** Rows for which a rule was taken in written order, since a condition had raised an error out of turn. */
  def withheld: Long = withheldRows

  /** The order that rules follow now. */
  def order: BankOrder = seen.plan

  /** Whether all conditions of a rule are true of the row. The first rule with a condition begins the row. */
  def holds(rule: Int): Boolean = {
    if (!isOpen) open()
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
  def end(): Unit = if (isOpen) {
    if (isSampled) endSample()
    else {
      plainEvaluations += count
      plainRows += 1
    }
    if (isWithheld) withheldRows += 1
    while (count > 0) {
      count -= 1
      verdicts(known(count)) = Unknown
      errors(known(count)) = null
    }
    isOpen = false
    isSampled = false
    isWithheld = false
  }

  private def open(): Unit = {
    isOpen = true
    if (samples) {
      seen = loop.current
      isSampled = sampling.sample()
    }
  }

  /** So few rows are sampled that samples take a small share of all evaluations. */
  private def endSample(): Unit = {
    loop.offer(sample)
    sample.clear()
    sampledRows += 1
    if (count > 0) {
      val plain = if (plainRows == 0) count.toDouble else plainEvaluations.toDouble / plainRows
      sampling.probability = math.min(BankLoop.SampleProbability, plain * MostShare / count)
    }
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
        tell(own, k + 1)
        return false
      }
      k += 1
    }
    true
  }

  /** Tells the loop which of the conditions from a place on have raised an error, each once. */
  private def tell(own: Array[Int], from: Int): Unit = {
    var k = from
    while (k < own.length) {
      if (verdicts(own(k)) == Raised && !isTold(own(k))) {
        isTold(own(k)) = true
        loop.raises(own(k))
      }
      k += 1
    }
  }

  private def evaluateAll(own: Array[Int]): Unit = {
    var k = 0
    while (k < own.length) {
      val condition = own(k)
      if (verdicts(condition) == Unknown) {
        // The first time it may have to be compiled.
        val isFirst = evaluatedOf(condition) == 0
        val begun = clock()
        val verdict = verdictOf(condition)
        if (!isFirst) sample.add(condition, verdict == False, clock() - begun - clockNanos)
      }
      sample.use(condition)
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

  /** Of the evaluations for other rows, about what sampled rows may take while there are many rows. */
  val MostShare = 0.03
}
