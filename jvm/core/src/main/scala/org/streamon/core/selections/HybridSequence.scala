package org.streamon.core.selections

/** Micro-arrows beside a macro-sequence (Section 4.3): from a region of a construct to the construct that is
  * best for the rows that come there, where that is not the next of the macro-sequence. Regions that have one
  * set have one arrow. Where rows reach them by several ways, the way that most of them take decides.
  */
object HybridSequence {

  def of(sample: SampledRegions, macroSequence: IndexedSeq[Int]): Sequence = {
    val search = new Search(sample, macroSequence)
    var frontier = search.first
    while (frontier.nonEmpty) frontier = search.step(frontier)
    Sequence(macroSequence, search.arrows)
  }

  /** Rows that have been asked the same constructs, `at` the last, and still have a rule that may hold. */
  private final case class Way(asked: Set[Int], at: Int, rows: Vector[Int])

  private final class Search(sample: SampledRegions, macroSequence: IndexedSeq[Int]) {
    private val alive = Array.fill(sample.rows)(sample.deciding.copy())

    /** By attribute and block of regions, the rows that decided, and the arrow if there is one. */
    private var decided = Map.empty[(Int, Int), (Int, Option[Int])]

    def arrows: Map[(Int, Int), Int] = decided.collect { case (from, (_, Some(to))) => from -> to }

    def first: Vector[Way] = macroSequence.headOption.toVector
      .map(a => ask(Way(Set.empty, a, (0 until sample.rows).toVector), a))
      .filter(_.rows.nonEmpty)

    /** Every way goes on by one construct. Ways that are alike from there on become one. */
    def step(frontier: Vector[Way]): Vector[Way] = {
      val next = for {
        way <- frontier if way.asked.size < macroSequence.size
        (block, rows) <- way.rows.groupBy(sample.block(_, way.at)).toVector.sortBy(_._1)
      } yield {
        val follows = macroSequence.find(!way.asked(_)).get
        val arrow = better(way, rows, follows)
        if (decided.get(way.at -> block).forall(_._1 < rows.size))
          decided += (way.at, block) -> (rows.size, arrow)
        (way.asked, arrow.getOrElse(follows)) -> rows
      }
      next
        .groupMap(_._1)(_._2)
        .toVector
        .map { case ((asked, to), rows) => ask(Way(asked, to, rows.flatten.sorted), to) }
        .filter(_.rows.nonEmpty)
        .sortBy(way => (way.at, way.rows.head))
    }

    private def ask(way: Way, a: Int): Way = {
      way.rows.foreach(row => alive(row).retainAll(sample.set(row, a)))
      Way(way.asked + a, a, way.rows.filterNot(alive(_).isEmpty))
    }

    /** The construct that is better than the next of the macro-sequence for these rows, if any: before all
      * rules are covered it leaves fewer of those that are alive, and later it drops more rows.
      */
    private def better(way: Way, rows: Vector[Int], follows: Int): Option[Int] = {
      val covered = new RuleSet(sample.rules)
      way.asked.foreach(a => covered.addAll(sample.constructs(a).used))
      val isCovered = covered.containsAll(sample.deciding)

      def measure(a: Int): Long = rows.map { row =>
        val left = alive(row).copy()
        left.retainAll(sample.set(row, a))
        if (!isCovered) left.cardinality.toLong else if (left.isEmpty) -1L else 0L
      }.sum

      // The candidate-arrow bitmap: constructs that some rule asks which can hold in the region.
      val canHold = sample.set(rows.head, way.at)
      val candidates =
        macroSequence.filter(a => !way.asked(a) && canHold.intersects(sample.constructs(a).used))
      candidates.map(a => (measure(a), a)).minOption.collect {
        case (found, a) if a != follows && found < measure(follows) => a
      }
    }
  }
}
