package org.streamon.spark.matching

import org.apache.spark.sql.catalyst.expressions.Literal
import org.apache.spark.sql.types._
import org.scalacheck.Gen
import org.streamon.spark.equality.{RandomConjuncts, RandomTable}

/** Random conditions over a table: mostly comparisons of columns with values that occur in them, combined by
  * AND, OR and NOT, and now and then any other condition, which may raise an error.
  */
final class RandomRules(table: RandomTable) {
  private val conjuncts = new RandomConjuncts(table)
  private val columns = table.schema.fields.toSeq.filter(f => RandomRules.isSimple(f.dataType))

  /** A condition of 1 to 5 parts. */
  def condition: Gen[String] = for {
    n <- Gen.choose(1, 5)
    parts <- Gen.listOfN(n, part)
  } yield parts.map(p => s"($p)").mkString(" AND ")

  private def part: Gen[String] = Gen.frequency(
    14 -> comparison,
    3 -> Gen.zip(comparison, comparison).map { case (a, b) => s"$a OR $b" },
    1 -> Gen.zip(comparison, comparison, comparison).map { case (a, b, c) => s"$a OR ($b AND NOT ($c))" },
    1 -> comparison.map(c => s"NOT ($c)"),
    1 -> Gen.oneOf("true", "NULL", "1 = 2"),
    2 -> other
  )

  private def other: Gen[String] = Gen.choose(1, 2).flatMap(conjuncts.conjunction).map { all =>
    val usable = all.filter(c => RandomConjuncts.isDeterministic(c) && !c.contains("SELECT"))
    if (usable.isEmpty) "id >= 0" else usable.map(c => s"($c)").mkString(" AND ")
  }

  private def comparison: Gen[String] = Gen.oneOf(columns).flatMap { field =>
    val c = field.name
    def value = valueOf(field)
    val any = Gen.frequency(
      12 -> Gen.zip(Gen.oneOf("=", "<", "<=", ">", ">=", "<>", "<=>"), value, Gen.oneOf(true, false)).map {
        case (how, v, isLeft) => if (isLeft) s"$c $how $v" else s"$v $how $c"
      },
      3 -> Gen.zip(value, value).map { case (a, b) => s"$c BETWEEN $a AND $b" },
      3 -> Gen.choose(1, 14).flatMap(Gen.listOfN(_, value)).map(vs => s"$c IN (${vs.mkString(", ")})"),
      1 -> Gen.zip(value, value).map { case (a, b) => s"$c NOT IN ($a, $b)" },
      1 -> Gen.oneOf(s"$c IS NULL", s"$c IS NOT NULL", s"$c = NULL", s"$c IN (NULL)")
    )
    field.dataType match {
      case BooleanType    => Gen.oneOf(any, Gen.oneOf(c, s"NOT $c", s"$c IS NOT TRUE"))
      case StringType     => Gen.frequency(4 -> any, 1 -> textual(c))
      case _: NumericType => Gen.frequency(8 -> any, 1 -> Gen.oneOf(s"$c > 2.5", s"$c < 3L", s"$c = 1e0D"))
      case _              => any
    }
  }

  private def textual(c: String): Gen[String] = Gen.oneOf(
    s"$c LIKE 'a%'",
    s"$c NOT LIKE 'ab%'",
    s"startswith($c, '')",
    s"$c LIKE '%1'",
    s"$c COLLATE UTF8_LCASE = 'ABC'",
    s"length($c) > 2"
  )

  /** A value of the column as it is written in SQL; now and then NULL. */
  private def valueOf(field: StructField): Gen[String] = {
    val at = table.schema.fieldIndex(field.name)
    Gen.oneOf(table.rows).map(_.get(at)).map {
      case null  => "NULL"
      case value => Literal.create(value, field.dataType).sql
    }
  }
}

private object RandomRules {
  def isSimple(dataType: DataType): Boolean = dataType match {
    case _: ArrayType | _: MapType | _: StructType => false
    case _                                         => true
  }
}
