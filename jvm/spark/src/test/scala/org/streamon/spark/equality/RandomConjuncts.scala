package org.streamon.spark.equality

import org.apache.spark.sql.types._
import org.scalacheck.Gen

/** Random conjunctions over a table, as SQL texts in written order. Some conjuncts guard others: they come
  * before them, though others may stand between. See [[Sandbox]] for the functions and the table `dim` that
  * they use.
  */
final class RandomConjuncts(table: RandomTable) {
  import RandomConjuncts._

  private val integers = table.columns(t => Seq(ByteType, ShortType, IntegerType, LongType).contains(t))
  private val fractions = table.columns(t => t == FloatType || t == DoubleType)
  private val numbers = "id" +: table.columns(_.isInstanceOf[NumericType])
  private val strings = table.columns(_ == StringType)
  private val dates = table.columns(_ == DateType)
  private val times = table.columns(_ == TimestampType)
  private val booleans = table.columns(_ == BooleanType)
  private val arrays = table.columns(_.isInstanceOf[ArrayType])
  private val structs = table.columns(_.isInstanceOf[StructType])
  private val maps = table.columns(_.isInstanceOf[MapType])
  private val any = "id" +: table.columns(_ => true)

  /** A conjunction of n conjuncts. */
  def conjunction(n: Int): Gen[Seq[String]] =
    Gen.listOfN(n, piece).flatMap(pieces => interleaved(fitting(pieces, n)))

  private def piece: Gen[Seq[String]] = Gen.frequency(
    10 -> plain.map(Seq(_)),
    3 -> orTree.map(Seq(_)),
    4 -> guarded,
    2 -> raising.map(Seq(_)),
    1 -> subquery.map(Seq(_)),
    1 -> nondeterministic.map(Seq(_))
  )

  /** Nothing in these raises, or hardly ever. */
  private def plain: Gen[String] = pick(
    over(numbers)(n => each(s"$n > 1", s"$n <= 7", s"$n <> 2", s"$n % 2 = 0", s"$n BETWEEN -1 AND 6")),
    over(numbers)(n => each(s"$n IN (0, 1, 2, 3, 7)", s"$n IN (1, NULL)", s"$n NOT IN (3, 4)")),
    over(numbers)(n => each(s"$n IN (${(0 to 30).mkString(", ")})", s"$n <=> NULL", s"NOT ($n <=> 3)")),
    over(numbers, numbers)((n, m) => each(s"$n <=> $m", s"$n > $m", s"coalesce($n, $m) >= 0")),
    over(fractions)(x => each(s"isnan($x)", s"NOT isnan($x)", s"$x = 0", s"$x <=> -0.0D", s"$x + 1 > $x")),
    over(strings)(s =>
      each(s"$s LIKE '%a%'", s"$s RLIKE '[0-9]'", s"$s <> ''", s"length($s) > 1", s"$s < 'a'")
    ),
    over(strings)(s => each(s"upper($s) = $s", s"substr($s, 2, 1) <> 'b'", s"sha2($s, 256) > '5'")),
    over(strings)(s =>
      each(s"get_json_object($s, '$$.a') = '1'", s"try_cast($s AS INT) > 5", s"$s LIKE '_'")
    ),
    over(strings, strings)((s, t) =>
      each(s"concat($s, $t) LIKE '%1%'", s"$s = $t", s"$s IN ('7', '12', $t)")
    ),
    over(dates)(d =>
      each(s"year($d) = 2024", s"month($d) > 2", s"$d < DATE'2024-03-01'", s"trunc($d, 'MM') = $d")
    ),
    over(times)(t =>
      each(s"hour($t) > 5", s"date_trunc('DAY', $t) = $t", s"$t < TIMESTAMP'2024-01-01 00:00:00'")
    ),
    over(booleans)(q => each(q, s"NOT $q", s"$q <=> true", s"$q IS NULL", s"($q OR $q IS NULL)")),
    over(arrays)(a =>
      each(s"size($a) > 2", s"array_contains($a, 1)", s"exists($a, e -> e > 2)", s"get($a, 2) > 0")
    ),
    over(structs)(r =>
      each(s"$r.u > 1", s"$r.v LIKE '%1%'", s"$r = named_struct('u', 1, 'v', 'ab')", s"$r.v IS NULL")
    ),
    over(maps)(m => each(s"map_contains_key($m, 'a')", s"$m['a'] = 1", s"size($m) > 1")),
    over(any)(c => each(s"$c IS NOT NULL", s"$c IS NULL OR id % 3 = 0")),
    over(any)(c => each(s"calm(cast(struct($c) AS STRING)) % 3 = 0"))
  )

  private def orTree: Gen[String] = Gen.zip(plain, plain, plain, raising).flatMap { case (p, q, r, e) =>
    Gen.oneOf(
      s"(($p) OR ($q))",
      s"((($p) AND ($q)) OR ($r))",
      s"(($p) OR (($q) AND ($e)))",
      s"NOT (($p) AND ($q))",
      s"CASE WHEN $p THEN $q ELSE $r END",
      s"CASE WHEN $p THEN $e WHEN $q THEN $r END",
      s"if($p, $q, $r) IS NOT FALSE"
    )
  }

  /** The last raises where those before it do not hold. */
  private def guarded: Gen[Seq[String]] = pick(
    over(numbers, numbers)((a, b) =>
      each(Seq(s"$b <> 0", s"$a / $b > 1"), Seq(s"$b > 0", s"pmod($a, $b) = 1"))
    ),
    over(integers)(a =>
      each(Seq(s"$a BETWEEN -60 AND 60", s"$a * 2S < 50"), Seq(s"$a >= 0", s"picky($a) < 6"))
    ),
    over(integers)(a => each(Seq(s"$a < 100 AND $a > -100", s"cast($a AS TINYINT) > 1"))),
    over(fractions)(x => each(Seq(s"NOT isnan($x)", s"$x BETWEEN -9 AND 9", s"cast($x AS INT) >= 0"))),
    over(strings)(s => each(Seq(s"$s RLIKE '^[0-9]{1,5}$$'", s"cast($s AS INT) > 5"))),
    over(strings)(s => each(Seq(s"$s IS NOT NULL", s"strict_length($s) > 1"))),
    over(strings)(s => each(Seq(s"size(split($s, '1')) > 1", s"split($s, '1')[1] <> 'b2'"))),
    over(strings)(s =>
      each(
        Seq(s"get_json_object($s, '$$.a') RLIKE '^[0-9]$$'", s"cast(get_json_object($s, '$$.a') AS INT) > 0")
      )
    ),
    over(dates, integers)((d, i) => each(Seq(s"year($d) < 3000", s"$i < 100", s"add_months($d, $i) >= $d"))),
    over(integers, integers)((i, j) =>
      each(Seq(s"$i BETWEEN 1 AND 12", s"$j BETWEEN 1 AND 28", s"make_date(2024, $i, $j) > DATE'2024-02-01'"))
    ),
    over(arrays)(a =>
      each(Seq(s"size($a) > 2", s"$a[2] >= 0"), Seq(s"size($a) > 0", s"element_at($a, 1) < 7"))
    )
  )

  /** Nothing guards these. */
  private def raising: Gen[String] = Gen.frequency(4 -> rarelyRaising, 1 -> guarded.map(_.last))

  private def rarelyRaising: Gen[String] = pick(
    over(integers, integers)((a, b) => each(s"$a + $b > 3", s"$a * $b < 100", s"-$a < 3", s"abs($a) >= 1")),
    over(numbers)(n => each(s"100 / ($n - 11) < 50", s"cast($n AS INT) >= 0")),
    over(strings, strings)((s, t) => each(s"$s LIKE $t", s"$s RLIKE $t")),
    over(strings)(s => each(s"to_date($s) > DATE'2020-01-01'")),
    over(times)(t => each(s"$t + INTERVAL '1' DAY > $t", s"timestampadd(YEAR, 1, $t) > $t")),
    over(dates, integers)((d, i) => each(s"date_add($d, cast($i AS INT)) > $d")),
    over(arrays)(a => each(s"aggregate($a, 0, (x, y) -> x + y) > 1", s"array_max($a) > 2"))
  )

  private def subquery: Gen[String] = over(numbers)(n =>
    each(
      s"$n IN (SELECT w FROM dim WHERE w > 2)",
      s"$n > (SELECT min(w) FROM dim)",
      "EXISTS (SELECT 1 FROM dim d WHERE d.k = t.id AND d.w <> 3)",
      "(SELECT max(w) FROM dim d WHERE d.k = t.id) > 1",
      s"(id % 5 = 0 OR $n IN (SELECT w FROM dim))"
    )
  ).get

  private def nondeterministic: Gen[String] =
    Gen.oneOf("rand(42) < 0.7", "monotonically_increasing_id() % 3 < 2", "spark_partition_id() >= 0")
}

object RandomConjuncts {

  /** 2 to 8 conjuncts, now and then many. */
  val size: Gen[Int] =
    Gen.frequency(40 -> Gen.choose(2, 4), 40 -> Gen.choose(5, 8), 1 -> 20, 1 -> 64, 1 -> 70)

  def isDeterministic(conjunct: String): Boolean =
    !Seq("rand(", "monotonically_", "spark_partition_id").exists(conjunct.contains(_))

  private def each[T](texts: T*): Gen[T] = Gen.oneOf(texts)

  private def over[T](columns: Seq[String])(make: String => Gen[T]): Option[Gen[T]] =
    Option.when(columns.nonEmpty)(Gen.oneOf(columns).flatMap(make))

  private def over[T](first: Seq[String], second: Seq[String])(
      make: (String, String) => Gen[T]
  ): Option[Gen[T]] =
    over(first)(a => over(second)(b => make(a, b)).getOrElse(Gen.fail))
      .filter(_ => second.nonEmpty)

  /** One of those for which the table has columns. */
  private def pick[T](templates: Option[Gen[T]]*): Gen[T] = {
    val possible = templates.flatten
    if (possible.isEmpty) Gen.fail else Gen.oneOf(possible).flatMap(identity)
  }

  private def fitting(pieces: Seq[Seq[String]], n: Int): Seq[Seq[String]] = {
    val ends = pieces.scanLeft(0)(_ + _.size)
    pieces.zip(ends).map { case (piece, start) => piece.take(math.max(0, n - start)) }.filter(_.nonEmpty)
  }

  /** One sequence in which each piece keeps its own order. */
  private def interleaved(pieces: Seq[Seq[String]]): Gen[Seq[String]] =
    pieces.foldLeft(Gen.const(Seq.empty[String])) { (sofar, piece) =>
      for {
        others <- sofar
        places <- Gen.listOfN(piece.size, Gen.choose(0, others.size)).map(_.sorted)
      } yield (0 to others.size).flatMap { i =>
        piece.zip(places).collect { case (conjunct, `i`) => conjunct } ++ others.slice(i, i + 1)
      }
    }
}
