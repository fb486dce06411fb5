package org.streamon.core.joins

/** Where rows go when inputs have no common key: a hypercube of cells with a dimension for each key class,
  * along which it is cut into so many shares. A row has coordinates by the values that it holds, and is
  * replicated along the classes that it lacks; each result has all values, so it is found in exactly one
  * cell. (F. N. Afrati, J. D. Ullman: Optimizing joins in a map-reduce environment, EDBT 2010.)
  *
  * Shares are whole numbers with a product of at most the number of partitions, chosen so that a cell
  * receives the fewest rows, and among equals so that there are the fewest cells. Some partitions may stay
  * without a cell: to ask for all of them would cost more where their number has few divisors (7 for two
  * classes).
  *
  * Classes held by the same inputs are one dimension, hashed together. A class whose holders are some only of
  * another's is not cut: the other does all that it could. So a class that all inputs hold makes this plain
  * hash partitioning. Classes of few values, such as windows of time, cannot do that: `coarse` ones are cut
  * only when the others do not connect the inputs.
  *
  * @param partitions
  *   cells to be had, at least 1
  * @param rows
  *   by input, the rows expected, in any unit; all equal by default
  * @throws IllegalArgumentException
  *   when an argument is outside what is allowed
  */
final class Shares(graph: JoinGraph, partitions: Int, rows: IndexedSeq[Double]) extends Serializable {
  def this(graph: JoinGraph, partitions: Int) = this(graph, partitions, Vector.fill(graph.n)(1.0))

  require(partitions >= 1, s"partitions = $partitions: at least 1 is needed")
  require(
    rows.size == graph.n && rows.forall(r => r >= 0.0 && !r.isInfinite),
    s"rows ${rows.mkString("[", ",", "]")}: expected a number from 0 on for each of ${graph.n} inputs"
  )

  /** By dimension, its key classes. The hash that a row brings is of its values of these. */
  val dimensions: IndexedSeq[IndexedSeq[Int]] = Shares.dimensions(graph)

  private val holders = dimensions.map(classes => graph.classes(classes.head).holders)

  /** By dimension, into how many shares it is cut. */
  val shares: IndexedSeq[Int] = new ShareSearch(holders, rows, partitions).best

  /** Cells are 0 until this. */
  val cells: Int = shares.product

  /** The rows that a cell receives when values are spread evenly, in the unit of the rows expected. */
  val load: Double = ShareSearch.load(holders, rows, shares)

  private val cuts = shares.toArray
  private val strides = cuts.scanLeft(1)(_ * _)

  // By input, the cells of a row relative to the one where all coordinates that it lacks are 0.
  private val offsets = Array.tabulate(graph.n) { i =>
    dimensions.indices
      .filterNot(holds(i, _))
      .foldLeft(Vector(0))((cells, d) =>
        cells.flatMap(cell => (0 until shares(d)).map(cell + _ * strides(d)))
      )
      .toArray
  }

  /** Whether rows of an input have a coordinate along a dimension. */
  def holds(input: Int, dimension: Int): Boolean = Bits.contains(holders(dimension), input)

  /** In how many cells each row of an input is. */
  def replicas(input: Int): Int = offsets(input).length

  /** Whether the rows that an input has in a cell are in no cell before it: each row is the original in one
    * of its cells, and a replica in the others.
    */
  def original(input: Int, cell: Int): Boolean =
    dimensions.indices.forall(d => holds(input, d) || cell / strides(d) % shares(d) == 0)

  /** The first of the cells that a row goes to: the one in which it is the original. Allocates nothing.
    *
    * @param hashes
    *   by dimension, any hash of the row's values of its classes; not looked at where the input has none. A
    *   row with a null under `=` joins with nothing: it may go anywhere.
    */
  def cell(input: Int, hashes: Array[Int]): Int = {
    var cell = 0
    var d = 0
    while (d < hashes.length) {
      if (holds(input, d)) cell += Shares.coordinate(hashes(d), d, cuts(d)) * strides(d)
      d += 1
    }
    cell
  }

  /** Another cell that the row goes to.
    *
    * @param first
    *   what `cell` says
    * @param replica
    *   0 until `replicas(input)`; 0 is the first
    */
  def replica(input: Int, first: Int, replica: Int): Int = first + offsets(input)(replica)
}

object Shares {

  /** The key classes that make the dimensions of a graph's hypercube: those held by the same inputs together,
    * those whose holders are some only of another's left out.
    *
    * @param coarse
    *   whether a class has few values only
    */
  def dimensions(graph: JoinGraph, coarse: Int => Boolean = _ => false): IndexedSeq[IndexedSeq[Int]] = {
    val holders = graph.classes.map(_.holders)
    val (some, others) = holders.indices.partition(coarse)
    val fine = others.map(holders).distinct
    val cut = if (some.forall(c => Bits.connect(fine, holders(c)))) fine else holders.distinct
    cut
      .filterNot(some => cut.exists(all => all != some && (some & ~all) == 0L))
      .map(same => holders.indices.filter(holders(_) == same))
  }

  /** Dimensions scatter differently: where two columns hold equal values, rows still reach all cells. Not to
    * be changed: the rows in a checkpoint lie in the cells that it gives.
    */
  private def coordinate(hash: Int, dimension: Int, share: Int): Int = {
    var h = hash + (dimension + 1) * 0x9e3779b9
    h = (h ^ h >>> 16) * 0x85ebca6b
    h = (h ^ h >>> 13) * 0xc2b2ae35
    Math.floorMod(h ^ h >>> 16, share)
  }
}
