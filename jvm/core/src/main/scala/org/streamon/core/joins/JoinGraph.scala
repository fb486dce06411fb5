package org.streamon.core.joins

/** What n inputs are joined on (thesis, Chapter 5): equalities, closed transitively to key classes, and
  * residual predicates. Two inputs have an edge when they share a class, so the inputs of one class form a
  * clique.
  *
  * @param n
  *   number of inputs, 2 to 64
  * @param equalities
  *   between columns of different inputs
  * @param residuals
  *   predicates of any other kind: for each the inputs that it refers to, as bits, at least two
  * @throws IllegalArgumentException
  *   when an argument is outside what is allowed, or there are more than 64 key classes
  */
final class JoinGraph(val n: Int, val equalities: Seq[Equality], val residuals: IndexedSeq[Long] = Vector())
    extends Serializable {
  require(n >= 2 && n <= 64, s"n = $n: allowed are 2 to 64 inputs")
  equalities.foreach { e =>
    require(
      inside(e.leftInput) && inside(e.rightInput) && e.leftInput != e.rightInput,
      s"$e: expected two different inputs of 0 to ${n - 1}; an equality within one input is a filter of its " +
        "own"
    )
    require(e.leftColumn >= 0 && e.rightColumn >= 0, s"$e: columns count from 0")
  }
  residuals.foreach { inputs =>
    require(
      Bits.size(inputs) >= 2 && (inputs & ~everyInput) == 0L,
      s"residual over inputs ${Bits.members(inputs).mkString("{", ",", "}")}: expected two or more of 0 to " +
        s"${n - 1}; a predicate over one input is a filter of its own"
    )
  }

  /** The key classes, in the sequence in which the equalities first name them. At most 64. */
  val classes: IndexedSeq[KeyClass] = KeyClasses.of(n, equalities)
  require(classes.size <= 64, s"${classes.size} key classes: allowed are at most 64")

  private val held =
    Array.tabulate(n)(i => Bits.where(classes.size)(c => Bits.contains(classes(c).holders, i)))

  private val keys = Array.tabulate(n)(i =>
    Bits
      .members(held(i))
      .map(c => new JoinGraph.Key(classes(c).columns(i).toArray, classes(c).nullSafe))
      .toArray
  )

  /** All inputs, as bits. */
  def everyInput: Long = if (n == 64) -1L else (1L << n) - 1

  /** The classes that an input has a column of, as bits. */
  def classesOf(input: Int): Long = held(input)

  /** The classes that two inputs share, as bits; they have an edge when there is one. */
  def shared(a: Int, b: Int): Long = held(a) & held(b)

  /** The classes that every input holds, as bits. When there is one, all rows of a result agree on it, so all
    * inputs can be hashed on it.
    */
  val commonClasses: Long = held.reduce(_ & _)

  /** Whether there are no other classes. Then a row of any input finds its matches in every window by one and
    * the same key, whatever the other windows hold.
    */
  val oneKeyClass: Boolean = classes.nonEmpty && Bits.size(commonClasses) == classes.size

  /** Whether no Cartesian product is needed: edges lead from any input to any other. */
  val connected: Boolean = connects(everyInput)

  /** Whether some inputs, as bits, need no Cartesian product among themselves. */
  def connects(inputs: Long): Boolean =
    Bits.connect(classes.map(_.holders & inputs), inputs)

  /** Whether edges, or further sets of inputs that are joined, lead from any of some inputs to any other of
    * them, over whatever inputs. All as bits.
    */
  def links(inputs: Long, further: Seq[Long]): Boolean =
    Bits.connect(classes.map(_.holders) ++ further, inputs)

  /** Whether a row can be part of any result by itself: no null under `=`, and one value in all columns of a
    * class. A row that cannot need not enter its window.
    *
    * @param value
    *   the row's value by column, compared by `==`; null for a null
    */
  def accepts(input: Int, value: Int => Any): Boolean = {
    val own = keys(input)
    var k = 0
    while (k < own.length && own(k).accepts(value)) k += 1
    k == own.length
  }

  private def inside(input: Int) = input >= 0 && input < n
}

object JoinGraph {

  /** One input's columns of a class. */
  private final class Key(columns: Array[Int], nullSafe: Boolean) extends Serializable {
    def accepts(value: Int => Any): Boolean = {
      val first = value(columns(0))
      var k = 1
      while (k < columns.length && value(columns(k)) == first) k += 1
      k == columns.length && (nullSafe || first != null)
    }
  }
}
