package org.streamon.spark.selections

import org.streamon.core.selections._
import org.streamon.spark.errors.RuleError

/** The constructs of many rules, in one process, and how values find their regions. Immutable, and shared by
  * tasks.
  *
  * @param constructs
  *   by column
  */
private[spark] final class CompiledSelections private (
    val shared: SharedSelections,
    val constructs: IndexedSeq[Construct[Any]]
) {

  /** By column. */
  val lookups: Array[RegionLookup] = constructs.indices.map { c =>
    val asked = shared.terms.iterator.flatMap(_.asked.get(c))
    RegionLookup(shared.keys(c), constructs(c).constants.sorted, asked.forall(_.isPointwise))
  }.toArray

  def bytes: Long = constructs.map(_.bytes).sum

  /** What tasks of this process learn together. */
  val loop: SelectionLoop =
    new SelectionLoop(shared.terms.size, constructs, first, SequenceSettings(sample = sampledRows))

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
  private val SearchBytes = 16L << 20

  /** @param limit
    *   bytes for the sets of the constructs
    * @throws RuleError
    *   where they do not fit
    */
  def apply(shared: SharedSelections, limit: Long): CompiledSelections = {
    val asking = shared.keys.indices.map { column =>
      shared.terms.zipWithIndex.collect {
        case (term, number) if term.asked.contains(column) => number -> term.asked(column)
      }.toMap
    }
    val uses = math.max(1L, asking.map(_.size.toLong).sum)
    val constructs = shared.keys.indices.map { column =>
      val share = (limit.toDouble * asking(column).size / uses).toLong
      Construct(asking(column), shared.terms.size, share)(shared.keys(column).ordering)
    }
    val compiled = new CompiledSelections(shared, constructs)
    if (compiled.bytes > limit) throw RuleError.tooLarge(shared.names.size, compiled.bytes, limit)
    compiled
  }
}
