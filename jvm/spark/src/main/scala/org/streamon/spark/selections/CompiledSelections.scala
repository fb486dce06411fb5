package org.streamon.spark.selections

import org.streamon.core.filters.OrderLoop
import org.streamon.core.loop.{Decision, DecisionLog}
import org.streamon.core.selections._
import org.streamon.core.util.InParallel
import org.streamon.spark.errors.RuleError
import org.streamon.spark.util.QueuedReview

/** The constructs of many rules, in one process, and how values find their regions. Immutable, and shared by
  * tasks.
  *
  * @param constructs
  *   by column
  * @param lookups
  *   by column
  */
private[spark] final class CompiledSelections private (
    val shared: SharedSelections,
    val constructs: IndexedSeq[Construct[Any]],
    val lookups: Array[RegionLookup]
) {

  /** By term. */
  val rulesOf: Array[Array[Int]] = shared.terms.iterator.map(_.rules).toArray

  /** By term, the rule that it is the only term of and that is its only rule; else -1. */
  val onlyOf: Array[Int] = {
    val termsOfRule = new Array[Int](shared.names.size)
    for (rules <- rulesOf; rule <- rules) termsOfRule(rule) += 1
    rulesOf.map {
      case Array(rule) if termsOfRule(rule) == 1 => rule
      case _                                     => -1
    }
  }

  /** What tells of a rule that the constructs leave alive whether it holds. */
  val checks: RegionChecks = RegionChecks.of(shared.terms.size, constructs)

  /** Of the sets of rules. */
  val bytes: Long = Construct.bytes(constructs, shared.terms.size)

  /** What tasks of this process learn together. */
  val loop: SelectionLoop =
    new SelectionLoop(
      shared.terms.size,
      constructs,
      first,
      SequenceSettings(sample = sampledRows, arrowGain = CompiledSelections.ArrowGain, improves = true)
    )

  /** The same of the conditions that constructs do not answer. */
  val bank: BankLoop = new BankLoop(shared.residualsOf, shared.residuals.size, isFixed = shared.isStrict)

  /** Conditions of rules that are evaluated whole. */
  val wholes: BankLoop = new BankLoop(shared.wholesOf, shared.wholes.size, isFixed = true)

  private val sequenceChanges = new DecisionLog[Decision[Sequence, SequenceStatistics]]
  private val orderChanges = new DecisionLog[OrderLoop.Reorder]

  private val review = new QueuedReview("The orders of a streamon_match are no longer reviewed")({
    val (sequence, order) = (loop.review(), bank.review())
    synchronized {
      sequence.foreach(sequenceChanges.add)
      if (shared.hasReported) order.foreach(orderChanges.add)
    }
  })

  /** Has the orders reviewed beside the tasks when a period has ended. */
  def reviewIfDue(): Unit = if (loop.isDue || bank.isDue) review.offer()

  /** The changes of sequence since this was last called, and those of the order of conditions. */
  def takeChanges(): (Seq[Decision[Sequence, SequenceStatistics]], Seq[OrderLoop.Reorder]) =
    synchronized((sequenceChanges.take(), orderChanges.take()))

  /** The sequence to begin with: as if every region came equally often. */
  private def first: Sequence = {
    val most = constructs.map(_.constants.regions).maxOption.getOrElse(0)
    val rows = math.min(most, CompiledSelections.FirstRows)
    val regions = (0 until rows).map { row =>
      constructs.map(c => (row.toLong * c.constants.regions / rows).toInt).toArray
    }
    MacroSequence.of(new SampledRegions(shared.terms.size, constructs, regions))
  }

  /** So few that a search stays within its memory. */
  private def sampledRows: Int = {
    val bytes = math.max(1L, constructs.size.toLong * shared.terms.size / 8)
    math.max(100L, math.min(1000L, CompiledSelections.SearchBytes / bytes)).toInt
  }
}

private[spark] object CompiledSelections {
  private val FirstRows = 50

  /** The chance of a row to be asked for all columns, while a sequence is sought. */
  val SampleProbability = 0.02
  private val SearchBytes = 16L << 20

  /** Measured: a row with arrows takes 1.2 to 1.4 times as long for each construct. */
  private val ArrowGain = 0.2

  /** @param limit
    *   bytes for the sets of the constructs
    * @throws RuleError
    *   where they do not fit
    */
  def apply(shared: SharedSelections, limit: Long): CompiledSelections = {
    val asking = askingOf(shared)
    val constructs = constructsOf(shared, asking, limit)
    val lookups = shared.keys.indices.map { c =>
      RegionLookup(shared.keys(c), constructs(c).constants, asking(c).values.forall(_.isPointwise))
    }
    new CompiledSelections(shared, constructs, lookups.toArray)
  }

  /** @throws RuleError
    *   where the sets of the constructs do not fit
    */
  def checkMemory(shared: SharedSelections, limit: Long): Unit =
    constructsOf(shared, askingOf(shared), limit): Unit

  /** By column, what each term asks of it. */
  private def askingOf(shared: SharedSelections): IndexedSeq[Map[Int, Selection[Any]]] = {
    val asked = shared.keys.map(_ => Map.newBuilder[Int, Selection[Any]])
    for ((term, number) <- shared.terms.zipWithIndex; (column, selection) <- term.asked)
      asked(column) += number -> selection
    asked.map(_.result())
  }

  private def constructsOf(
      shared: SharedSelections,
      asking: IndexedSeq[Map[Int, Selection[Any]]],
      limit: Long
  ): IndexedSeq[Construct[Any]] = {
    val asked = InParallel.map(shared.keys.zip(asking)) { case (key, of) =>
      new AskedRegions(of, key.wholeNumber)(key.ordering)
    }
    val constructs = Construct.all(asked, shared.terms.size, limit)
    val bytes = Construct.bytes(constructs, shared.terms.size)
    if (bytes > limit) throw RuleError.tooLarge(shared.names.size, bytes, limit)
    constructs
  }
}
