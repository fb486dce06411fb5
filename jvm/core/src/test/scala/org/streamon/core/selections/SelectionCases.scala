package org.streamon.core.selections

import org.scalacheck.Gen
import org.streamon.core.selections.Selection._

/** Rules over a few attributes of small integers, and what they mean by themselves. */
object SelectionCases {
  type Rule = Map[Int, Selection[Int]]
  type Row = IndexedSeq[Option[Int]]

  /** With the second, close constants are dense. */
  val numbers: Seq[Option[Int => Long]] = Seq(None, Some(_.toLong))

  final case class Case(
      attributes: Int,
      rules: IndexedSeq[Rule],
      rows: IndexedSeq[Row],
      number: Option[Int => Long] = None
  ) {
    def constructs(bytes: Long = Long.MaxValue): IndexedSeq[Construct[Int]] =
      (0 until attributes).map { a =>
        Construct(
          rules.zipWithIndex.collect { case (rule, j) if rule.contains(a) => j -> rule(a) }.toMap,
          rules.size,
          bytes,
          number
        )
      }

    def sample: SampledRegions = {
      val all = constructs()
      new SampledRegions(rules.size, all, rows.map(row => all.indices.map(regionOf(all, row, _)).toArray))
    }

    /** Of each row, the rules that hold. */
    def holding: IndexedSeq[Seq[Int]] =
      rows.map(row => rules.indices.filter(j => rules(j).forall { case (a, s) => holds(s, row(a)) }))
  }

  def regionOf(constructs: IndexedSeq[Construct[Int]], row: Row, a: Int): Int =
    row(a).fold(constructs(a).constants.ofNull)(constructs(a).constants.region)

  def holds(selection: Selection[Int], value: Option[Int]): Boolean = selection match {
    case Compare(Comparison.Equal, c)    => value.exists(_ == c)
    case Compare(Comparison.NotEqual, c) => value.exists(_ != c)
    case Compare(Comparison.Less, c)     => value.exists(_ < c)
    case Compare(Comparison.AtMost, c)   => value.exists(_ <= c)
    case Compare(Comparison.Greater, c)  => value.exists(_ > c)
    case Compare(Comparison.AtLeast, c)  => value.exists(_ >= c)
    case OneOf(constants)                => value.exists(constants.contains(_))
    case IsNull                          => value.isEmpty
    case IsNotNull                       => value.nonEmpty
    case AllOf(parts)                    => parts.forall(holds(_, value))
    case AnyOf(parts)                    => parts.exists(holds(_, value))
  }

  private val comparisons = Seq(
    Comparison.Equal,
    Comparison.NotEqual,
    Comparison.Less,
    Comparison.AtMost,
    Comparison.Greater,
    Comparison.AtLeast
  )

  private val constant = Gen.choose(0, 20).map(2 * _) // so that values lie between them too

  def selections(depth: Int = 2): Gen[Selection[Int]] = {
    val parts = Gen.choose(0, 3).flatMap(Gen.listOfN(_, selections(depth - 1)))
    val simple = Seq[(Int, Gen[Selection[Int]])](
      6 -> Gen.zip(Gen.oneOf(comparisons), constant).map { case (how, c) => Compare(how, c) },
      1 -> Gen.choose(0, 4).flatMap(Gen.listOfN(_, constant)).map(OneOf(_)),
      1 -> Gen.oneOf(IsNull, IsNotNull)
    )
    val deep = Seq[(Int, Gen[Selection[Int]])](
      1 -> Gen.lzy(parts).map(AllOf(_)),
      1 -> Gen.lzy(parts).map(AnyOf(_))
    )
    Gen.frequency((if (depth == 0) simple else simple ++ deep): _*)
  }

  val values: Gen[Option[Int]] = Gen.frequency(1 -> Gen.const(None), 9 -> Gen.choose(-1, 41).map(Some(_)))

  /** Half of the cases have rules that ask no attribute, and hold of every row. The others are such that many
    * rows have no rule.
    *
    * @param least
    *   attributes, and `most`
    * @param rules
    *   at most
    */
  def cases(least: Int = 1, most: Int = 5, rules: Int = 150): Gen[Case] = for {
    n <- Gen.choose(least, most)
    k <- Gen.oneOf(Gen.choose(1, rules), Gen.oneOf(Seq(1, 63, 64, 65, 128).filter(_ <= rules)))
    isFree <- Gen.oneOf(true, false)
    asked = Gen.choose(if (isFree) 0 else n, n).flatMap(Gen.pick(_, 0 until n))
    selection = if (isFree) selections() else constant.map(c => Compare(Comparison.Equal, c))
    all <- Gen.listOfN(
      k,
      asked.flatMap { of =>
        Gen.sequence[List[(Int, Selection[Int])], (Int, Selection[Int])](of.map(a => selection.map(a -> _)))
      }
    )
    rows <- Gen.listOfN(30, Gen.listOfN(n, if (isFree) values else constant.map(Option(_))))
    number <- Gen.oneOf(numbers)
  } yield Case(n, all.map(_.toMap).toIndexedSeq, rows.map(_.toIndexedSeq).toIndexedSeq, number)
}
