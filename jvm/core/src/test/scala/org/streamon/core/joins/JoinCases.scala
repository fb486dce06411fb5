package org.streamon.core.joins

import org.scalacheck.Gen
import org.scalatest.Assertions
import scala.collection.mutable

/** An insertion into, or deletion from, an input's window. */
final case class Element(input: Int, row: Row, insert: Boolean)

/** A join and its input.
  *
  * @param residuals
  *   for each the inputs that it refers to
  */
final case class JoinCase(
    n: Int,
    equalities: Seq[Equality],
    residuals: IndexedSeq[Set[Int]],
    elements: Seq[Element]
) {
  @transient lazy val graph: JoinGraph = new JoinGraph(n, equalities, residuals.map(Bits.of(_)))

  def predicates: IndexedSeq[IndexedSeq[Row] => Boolean] = residuals.map(JoinCases.residual)
}

/** Small joins of every shape, with duplicates and nulls, and the nested loop that says what they give. */
object JoinCases extends Assertions {

  /** Some predicate over the rows of the inputs. */
  def residual(inputs: Set[Int])(rows: IndexedSeq[Row]): Boolean = {
    require(rows.indices.filter(rows(_) != null).toSet == inputs, "predicates see what they refer to")
    inputs.toSeq.map(i => rows(i).collect { case v: Int => v }.sum).sum % 3 != 0
  }

  /** By the text of the predicates, without closure, index or order: for each input one of its rows. */
  def nestedLoop(join: JoinCase, windows: IndexedSeq[Seq[Row]]): Seq[IndexedSeq[Row]] = {
    def holds(rows: IndexedSeq[Row], e: Equality) = {
      val (l, r) = (rows(e.leftInput)(e.leftColumn), rows(e.rightInput)(e.rightColumn))
      l == r && (e.nullSafe || l != null)
    }
    val all = (0 until join.n).foldLeft(Seq(Vector.empty[Row])) { (results, i) =>
      val due = join.equalities.filter(e => math.max(e.leftInput, e.rightInput) == i)
      for (result <- results; row <- windows(i); grown = result :+ row if due.forall(holds(grown, _)))
        yield grown
    }
    all.filter(result =>
      join.residuals.forall(inputs =>
        residual(inputs)(result.indices.map(i => if (inputs(i)) result(i) else null))
      )
    )
  }

  /** Feeds a case's elements; after each, what is emitted must be what the nested loop finds with that row.
    *
    * @param insert
    *   a row into an input's window, and `delete` out of it
    * @param shown
    *   what to say of an element that fails
    * @param after
    *   called after each
    * @return
    *   the windows in the end
    */
  def feed(
      join: JoinCase,
      insert: (Int, Row) => (IndexedSeq[Row] => Unit) => Unit,
      delete: (Int, Row) => (IndexedSeq[Row] => Unit) => Unit
  )(shown: Element => String = _ => "", after: () => Unit = () => ()): IndexedSeq[Seq[Row]] = {
    val windows = Array.fill(join.n)(Vector.empty[Row])
    def bag(rows: Iterable[IndexedSeq[Row]]) = rows.groupBy(identity).map(g => g._1 -> g._2.size)
    join.elements.foreach { e =>
      val expected = nestedLoop(join, windows.toVector.updated(e.input, Vector(e.row)))
      val found = mutable.Buffer.empty[IndexedSeq[Row]]
      if (e.insert) {
        insert(e.input, e.row)(found += _)
        windows(e.input) :+= e.row
      } else {
        delete(e.input, e.row)(found += _)
        windows(e.input) = windows(e.input).diff(Vector(e.row))
      }
      assert(bag(found) == bag(expected), s"$e on ${windows.toSeq}${shown(e)}")
      after()
    }
    windows.toVector
  }

  /** Inputs on a path. */
  def chain(n: Int): Seq[(Int, Int)] = (1 until n).map(i => (i - 1, i))

  /** Equalities of one class for each pair: its columns are the inputs' own next ones. */
  def distinctClasses(pairs: Seq[(Int, Int)]): Seq[Equality] =
    pairs.indices.map { k =>
      def next(i: Int) = pairs.take(k).count { case (a, b) => a == i || b == i }
      val (a, b) = pairs(k)
      Equality(a, next(a), b, next(b))
    }

  /** All on column 0. */
  def oneKey(n: Int): Seq[Equality] = (1 until n).map(i => Equality(i - 1, 0, i, 0))

  private def cut(pairs: Seq[(Int, Int)]): Gen[Seq[Equality]] =
    Gen
      .listOfN(pairs.size, Gen.frequency(3 -> Gen.const(false), 1 -> Gen.const(true)))
      .map(safe => distinctClasses(pairs).zip(safe).map { case (e, s) => e.copy(nullSafe = s) })

  /** A connected graph of random equalities, which may meet in shared columns. */
  private def random(n: Int): Gen[Seq[Equality]] = {
    def edge(a: Int, b: Int) = for {
      l <- Gen.choose(0, 2)
      r <- Gen.choose(0, 2)
      safe <- Gen.frequency(3 -> false, 1 -> true)
    } yield Equality(a, l, b, r, safe)
    val tree = (1 until n).map(i => Gen.choose(0, i - 1).flatMap(edge(_, i)))
    for {
      needed <- Gen.sequence[Seq[Equality], Equality](tree)
      pairs <- Gen.resize(n, Gen.listOf(Gen.zip(Gen.choose(0, n - 1), Gen.choose(0, n - 1))))
      more <- Gen.sequence[Seq[Equality], Equality](pairs.collect { case (a, b) if a != b => edge(a, b) })
    } yield needed ++ more
  }

  def graphs(n: Int): Gen[Seq[Equality]] = Gen.oneOf(
    Gen.const(oneKey(n)),
    Gen.const(oneKey(n).map(_.copy(nullSafe = true))),
    cut(chain(n)),
    cut((1 until n).map((0, _))),
    cut(if (n == 2) chain(n) else chain(n) :+ ((0, n - 1))),
    cut((0 until n).combinations(2).map(p => (p(0), p(1))).toSeq),
    random(n)
  )

  val cases: Gen[JoinCase] = casesOf(2, 6)

  def casesOf(fewest: Int, most: Int): Gen[JoinCase] = for {
    n <- Gen.choose(fewest, most)
    equalities <- graphs(n)
    residuals <- Gen.frequency(
      2 -> Gen.const(Nil),
      1 -> Gen.resize(2, Gen.nonEmptyListOf(Gen.atLeastOne(0 until n).map(_.toSet).filter(_.size >= 2)))
    )
    width = equalities.flatMap(e => Seq(e.leftColumn, e.rightColumn)).max + 1
    domain <- Gen.choose(1, 3)
    value = Gen.frequency[Any](1 -> Gen.const(null), 12 -> Gen.choose(1, domain))
    moves <- Gen.listOfN(
      8 * n,
      Gen.zip(Gen.choose(0, n - 1), Gen.listOfN(width, value), Gen.prob(0.25), Gen.choose(0, 1000))
    )
  } yield JoinCase(n, equalities, residuals.toVector, elements(n, moves))

  /** Deletes something that is there, where a move says so. */
  private def elements(n: Int, moves: Seq[(Int, Seq[Any], Boolean, Int)]): Seq[Element] = {
    val windows = Array.fill(n)(Vector.empty[Row])
    moves.map { case (input, values, delete, choice) =>
      if (delete && windows(input).nonEmpty) {
        val at = choice % windows(input).size
        val row = windows(input)(at)
        windows(input) = windows(input).patch(at, Nil, 1)
        Element(input, row, insert = false)
      } else {
        windows(input) :+= values.toVector
        Element(input, values.toVector, insert = true)
      }
    }
  }
}
