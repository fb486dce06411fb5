package org.streamon.spark.routes

import scala.util.Random

import org.apache.spark.sql.catalyst.expressions.{AttributeReference, AttributeSet}
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types._
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.core.routes.{Above, Branch, Leaf, OneOf, Routes}
import org.streamon.spark.errors.RoutesError

class RouteTextSuite extends AnyFunSuite {
  private val columns = StructType.fromDDL(
    "carrier STRING, delay INT, `day of year` DATE, price DECIMAL(10,2), share DOUBLE, late BOOLEAN, seen TIMESTAMP_NTZ, at TIMESTAMP"
  )
  private val input = columns.map(f => AttributeReference(f.name, f.dataType, f.nullable)())
  private val attributes =
    RouteColumn.of(input, AttributeSet(input), AttributeSet.empty, RouteColumn.Most).map(_.attribute)

  private def problem(text: String): String =
    intercept[RoutesError](RouteText.read(text, attributes, 3)).getMessage

  test("routes read as they are written") {
    val text =
      "CASE WHEN carrier IN ('AA', 'DL') THEN '2,0,1' WHEN delay > 12 OR delay IS NULL THEN '0,1,2' " +
        "ELSE CASE WHEN `day of year` <= DATE'2024-02-29' THEN '1,0,2' ELSE '0,1,2' END END"
    val routes = RouteText.read(text, attributes, 3)
    assert(routes.orders == Vector(Vector(2, 0, 1), Vector(0, 1, 2), Vector(1, 0, 2)))
    assert(
      routes.tree.leaves.map(l => l.words(attributes) -> l.route) == Seq(
        "carrier IN ('AA', 'DL')" -> 0,
        "(carrier NOT IN ('AA', 'DL') OR carrier IS NULL) AND (delay > 12 OR delay IS NULL)" -> 1,
        "(carrier NOT IN ('AA', 'DL') OR carrier IS NULL) AND delay <= 12 AND " +
          "(`day of year` > DATE '2024-02-29' OR `day of year` IS NULL)" -> 1,
        "(carrier NOT IN ('AA', 'DL') OR carrier IS NULL) AND delay <= 12 AND `day of year` <= DATE '2024-02-29'" -> 2
      )
    )
    assert(RouteText.read(RouteText.write(routes, attributes), attributes, 3) == routes)
  }

  test("what is written can be read, for every type of column") {
    val random = new Random(7)
    val thresholds = Map(
      "delay" -> Seq(-5.0, 0.0, 2147483647.0),
      "`day of year`" -> Seq(0.0, -719162.0, 19782.0),
      "price" -> Seq(-2.25, 99999999.99),
      "share" -> Seq(0.1, 1e300, -1e-300, Double.PositiveInfinity, Double.NegativeInfinity),
      "late" -> Seq(0.0, 1.0),
      "seen" -> Seq(0.0, 1709209800123456.0),
      "at" -> Seq(0.0, 1709209800123456.0)
    )
    for ((attribute, index) <- attributes.zipWithIndex; nulls <- Seq(true, false)) {
      val tests =
        if (attribute.isNumber) thresholds(attribute.name).map(Above(index, _))
        else Seq(OneOf(index, Set("O'Hare", "", "ü\\")), OneOf(index, Set("a")))
      for (test <- tests) {
        val orders = random.shuffle(Vector(0, 1, 2).permutations.toVector).take(2)
        val routes = Routes(Branch(test, nulls, Leaf(0), Leaf(1)), orders)
        val text = RouteText.write(routes, attributes)
        assert(RouteText.read(text, attributes, 3) == routes, text)
      }
    }
  }

  test("what one time zone has written another reads") {
    val routes = Routes(
      Branch(Above(7, 1709209800123456.0), false, Leaf(0), Leaf(1)),
      Vector(Vector(1, 0), Vector(0, 1))
    )
    def in[T](zone: String)(body: => T): T = {
      val conf = new SQLConf
      conf.setConfString("spark.sql.session.timeZone", zone)
      SQLConf.withExistingConf(conf)(body)
    }
    val text = in("America/Los_Angeles")(RouteText.write(routes, attributes))
    assert(in("Asia/Tokyo")(RouteText.read(text, attributes, 2)) == routes)
    assert(in("UTC")(routes.tree.words(0, attributes)) == "at > TIMESTAMP '2024-02-29 12:30:00.123456'")
  }

  test("forced routes for another number of conjuncts are ignored, whatever texts the tree asks for") {
    def forced(text: String, size: Int) =
      RouteText.forced(RouteOptions(8, "", "", Some(text)), attributes, size)
    for (values <- Seq("'AA', 'DL'", "'1'", "'0,1'", "'0','1'")) {
      val text = s"CASE WHEN carrier IN ($values) THEN '2,0,1' ELSE '0,1,2' END"
      assert(forced(text, 3).exists(_.orders.size == 2) && forced(text, 2).isEmpty, values)
    }
    assert(forced("'1,0'", 2).contains(Routes.single(Vector(1, 0))) && forced("'1,0'", 3).isEmpty)
  }

  test("what a folder has may be anything") {
    val bad =
      Seq("", "CASE", "CASE WHEN delay > CAST('NaN' AS DOUBLE) THEN '0,1' ELSE '1,0' END", "'0,1,2'", "'0,0'")
    for (text <- bad :+ "CASE WHEN origin = 'ORD' THEN '0,1' ELSE '1,0' END" :+ ("(" * 20000))
      assert(RouteText.fitting(text, attributes, 2).isEmpty, text.take(80))
  }

  test("one order for all rows, and equal orders in two leaves") {
    assert(RouteText.read("'1,0,2'", attributes, 3) == Routes.single(Vector(1, 0, 2)))
    assert(RouteText.read("CASE WHEN delay > 1 THEN '1,0,2' ELSE '1, 0, 2' END", attributes, 3).isSingle)
  }

  test("mistakes name what is wrong, and what is allowed") {
    val missing = problem("CASE WHEN origin = 'ORD' THEN '0,1,2' ELSE '1,0,2' END")
    assert(missing.contains("STREAMON_ROUTES_UNKNOWN_COLUMN") && missing.contains("the column origin"))
    assert(missing.contains("carrier, delay, `day of year`"))
    for (order <- Seq("0,1", "0,1,1", "a,b,c", "1,2,3", ""))
      assert(problem(s"'$order'").contains("each of the numbers 0 to 2 once"), order)
    val unreadable = Seq(
      "CASE WHEN delay > 1 THEN '0,1,2' END",
      "CASE WHEN delay BETWEEN 1 AND 2 THEN '0,1,2' ELSE '1,0,2' END",
      "CASE WHEN delay IN (1) THEN '0,1,2' ELSE '1,0,2' END",
      "CASE WHEN carrier > 'A' THEN '0,1,2' ELSE '1,0,2' END",
      "CASE WHEN delay > 'x' THEN '0,1,2' ELSE '1,0,2' END",
      "CASE WHEN delay > price THEN '0,1,2' ELSE '1,0,2' END",
      "CASE WHEN delay > 1 OR price IS NULL THEN '0,1,2' ELSE '1,0,2' END",
      "012",
      "CASE WHEN"
    )
    for (text <- unreadable) {
      val said = problem(text)
      assert(said.contains("STREAMON_ROUTES_UNREADABLE") && said.contains("column IN ('text', ...)"), text)
    }
  }

  test("columns that conjuncts read come first, and names that stand twice are left out") {
    val twice = input :+ AttributeReference("carrier", StringType)()
    val read = AttributeSet(Seq(input(5), input(1)))
    val found = RouteColumn.of(twice, AttributeSet(twice), read, 4)
    assert(found.map(_.column.name) == Seq("delay", "late", "day of year", "price"))
    val unsupported = StructType.fromDDL("a ARRAY<INT>, b BINARY, m MAP<INT, INT>, d DECIMAL(38,2)")
    val others = unsupported.map(f => AttributeReference(f.name, f.dataType)())
    assert(RouteColumn.of(others, AttributeSet(others), AttributeSet.empty, 9).isEmpty)
    assert(RouteColumn.of(input, AttributeSet(input.tail), AttributeSet.empty, 1).map(_.ordinal) == Seq(1))
  }
}
