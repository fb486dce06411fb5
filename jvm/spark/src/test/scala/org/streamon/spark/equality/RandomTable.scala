package org.streamon.spark.equality

import java.math.{BigDecimal => JDecimal}
import java.time.{Duration, Instant, LocalDate, LocalDateTime, Period}

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._
import org.scalacheck.Gen

/** A small table with the values that break predicates: nulls, NaN and -0.0, texts that are no numbers, the
  * extremes of every type. The first column, `id`, is the number of the row, and never null.
  */
final case class RandomTable(schema: StructType, rows: Seq[Row]) {

  /** The columns of a type, by name; without `id`. */
  def columns(ofType: DataType => Boolean): Seq[String] =
    schema.fields.toSeq.tail.filter(f => ofType(f.dataType)).map(_.name)
}

object RandomTable {
  private val struct = StructType.fromDDL("u INT, v STRING")

  /** Every type, and the values that its columns take. */
  private val values: Seq[(DataType, Gen[Any])] = Seq(
    ByteType -> integers(Byte.MinValue, Byte.MaxValue).map(_.toByte),
    ShortType -> integers(Short.MinValue, Short.MaxValue).map(_.toShort),
    IntegerType -> integers(Int.MinValue, Int.MaxValue).map(_.toInt),
    IntegerType -> integers(Int.MinValue, Int.MaxValue).map(_.toInt),
    LongType -> integers(Long.MinValue, Long.MaxValue),
    DecimalType(10, 2) -> Gen.oneOf("0.00", "1.50", "-2.25", "7.00", "99999999.99").map(new JDecimal(_)),
    DecimalType(38, 10) -> Gen.oneOf("0", "1.5", "-3.0000000001", "9" * 28).map(new JDecimal(_)),
    FloatType -> Gen.oneOf(0.0f, -0.0f, 1.5f, -2f, Float.NaN, Float.MaxValue, Float.NegativeInfinity),
    DoubleType -> Gen.oneOf(0.0, -0.0, 1.5, -2.0, 7.0, Double.NaN, Double.MaxValue, Double.PositiveInfinity),
    StringType -> texts,
    StringType -> texts,
    DateType -> Gen
      .oneOf("0001-01-01", "2024-02-29", "2024-03-01", "1969-12-31", "9999-12-31")
      .map(LocalDate.parse(_)),
    TimestampType -> Gen
      .oneOf(
        "0001-01-01T00:00:00Z",
        "2024-02-29T12:30:00Z",
        "1969-12-31T23:59:59.999999Z",
        "9999-12-31T23:59:59Z"
      )
      .map(Instant.parse(_)),
    TimestampNTZType -> Gen
      .oneOf("0001-01-01T00:00:00", "2024-02-29T12:30:00", "1969-12-31T23:59:59.999999")
      .map(LocalDateTime.parse(_)),
    DayTimeIntervalType() -> Gen.oneOf("PT0S", "PT36H", "-PT0.000001S", "P99999D").map(Duration.parse(_)),
    YearMonthIntervalType() -> Gen.oneOf("P0M", "P13M", "P-1M", "P9999Y").map(Period.parse(_)),
    StringType("UTF8_LCASE") -> texts,
    BinaryType -> Gen.oneOf("", "\u0000", "a", "ab", "\u00ff").map(_.getBytes("ISO-8859-1")),
    BooleanType -> Gen.oneOf(true, false),
    ArrayType(IntegerType) -> Gen
      .choose(0, 5)
      .flatMap(Gen.listOfN(_, orNull(integers(-9, 9).map(_.toInt), 0.1))),
    struct -> Gen.zip(orNull(integers(-9, 9).map(_.toInt), 0.2), orNull(texts, 0.2)).map { case (u, v) =>
      Row(u, v)
    },
    MapType(StringType, IntegerType) ->
      Gen.someOf("a", "b", "c").map(_.map(k => k -> k.head.toInt % 3).toMap)
  )

  /** @param rowCount
    *   rows, exactly
    */
  def gen(rowCount: Int): Gen[RandomTable] = for {
    size <- Gen.choose(5, 10)
    picked <- Gen.listOfN(size, Gen.oneOf(values))
    nulls <- Gen.listOfN(size, Gen.frequency(3 -> 0.0, 4 -> 0.15, 1 -> 0.6))
    cells = Gen.sequence[List[Any], Any](picked.zip(nulls).map { case ((_, value), share) =>
      orNull(value, share)
    })
    rows <- Gen.listOfN(rowCount, cells)
  } yield {
    val fields = picked.zip(nulls).zipWithIndex.map { case (((dataType, _), share), i) =>
      StructField(s"c$i", dataType, nullable = share > 0)
    }
    RandomTable(
      StructType(StructField("id", LongType, nullable = false) :: fields),
      rows.zipWithIndex.map { case (row, id) => Row.fromSeq(id.toLong :: row) }
    )
  }

  private def integers(least: Long, most: Long): Gen[Long] =
    Gen.frequency(12 -> Gen.choose(-2L, 9L), 1 -> Gen.oneOf(least, most, 0L))

  private def texts: Gen[String] = Gen.frequency(
    6 -> Gen.oneOf("0", "7", "12", "-3", "007", "42", "100"),
    5 -> Gen.oneOf("abc", "a1b2", "ab", "x", "ABC", "\u00dcn\u00ef"),
    2 -> Gen.oneOf("", " ", "3.5", "NaN", "1e400", "99999999999", "true", "%_x", "\\", "[", "a" * 200),
    1 -> Gen.oneOf("2024-02-29", "2023-13-45", "12:30"),
    3 -> Gen.oneOf("""{"a":1}""", """{"a":"x","b":[1,2]}""", """{"a":null}""", "{broken")
  )

  private def orNull(value: Gen[Any], share: Double): Gen[Any] =
    if (share == 0.0) value else Gen.prob(share).flatMap(if (_) Gen.const(null) else value)
}
