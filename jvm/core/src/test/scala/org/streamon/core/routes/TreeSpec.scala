package org.streamon.core.routes

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, ObjectInputStream, ObjectOutputStream}

import org.scalatest.funsuite.AnyFunSuite
import org.streamon.Allocated
import org.streamon.core.filters.Precedence

class TreeSpec extends AnyFunSuite {
  private val attributes = Vector(Attribute.category("carrier"), Attribute.number("delay"))
  private val delayed = Branch(Above(1, 12.0), nullsMatch = true, Leaf(1), Leaf(2))
  private val tree = Branch(OneOf(0, Set("DL", "AA")), nullsMatch = false, Leaf(0), delayed)

  private def route(carrier: String, delay: Any): Int = tree.route(Row(Seq(carrier, delay), Set.empty))

  test("a row goes to its leaf; nulls go the recorded way, and NaN is above every number") {
    assert(route("AA", 0.0) == 0 && route("DL", null) == 0)
    assert(route("UA", 12.0) == 2 && route("UA", 12.5) == 1 && route("UA", -0.0) == 2)
    assert(route(null, 1.0) == 2 && route(null, null) == 1)
    assert(route("UA", Double.NaN) == 1 && route("UA", Double.PositiveInfinity) == 1)
    val last = Branch(Above(0, Double.PositiveInfinity), nullsMatch = false, Leaf(1), Leaf(0))
    assert(last.route(Row(Seq(Double.NaN), Set.empty)) == 1)
    assert(last.route(Row(Seq(Double.PositiveInfinity), Set.empty)) == 0)
  }

  test("in words") {
    assert(
      tree.leaves.map(path => path.words(attributes) -> path.route) == Seq(
        "carrier IN ('AA', 'DL')" -> 0,
        "(carrier NOT IN ('AA', 'DL') OR carrier IS NULL) AND (delay > 12.0 OR delay IS NULL)" -> 1,
        "(carrier NOT IN ('AA', 'DL') OR carrier IS NULL) AND delay <= 12.0" -> 2
      )
    )
    assert(Leaf(0).leaves.map(_.words(attributes)) == Seq("all rows"))
    assert(OneOf(0, Set("O'Hare")).words(Attribute.category("origin")) == "origin IN ('O\\'Hare')")
    assert(tree.words(attributes) == "carrier IN ('AA', 'DL')")
    assert(delayed.words(attributes) == "delay > 12.0 OR delay IS NULL")
    assert(tree.depth == 2 && Leaf(3).depth == 0)
  }

  test("several tests of one attribute are one condition in words") {
    def words(attribute: Attribute, tests: (Test, Boolean, Boolean)*): String =
      Tree
        .Path(
          tests.toVector.map { case (test, nulls, way) => (Branch(test, nulls, Leaf(0), Leaf(1)), way) },
          0
        )
        .words(Vector(attribute))
    val delay = Attribute.number("delay")
    val between =
      Seq((Above(0, 5.0), true, true), (Above(0, 9.0), false, false), (Above(0, 20.0), false, false))
    assert(words(delay, between: _*) == "(delay > 5.0 AND delay <= 9.0 OR delay IS NULL)")
    assert(words(delay.copy(isNullable = false), between: _*) == "delay > 5.0 AND delay <= 9.0")
    assert(words(delay, (Above(0, 5.0), true, true), (Above(0, 7.0), false, true)) == "delay > 7.0")
    val carrier = Attribute.category("carrier")
    val some = (OneOf(0, Set("AA", "DL", "UA")), false, true)
    assert(words(carrier, some, (OneOf(0, Set("DL")), false, false)) == "carrier IN ('AA', 'UA')")
    assert(words(carrier, some, (OneOf(0, Set("DL", "AA")), false, true)) == "carrier IN ('AA', 'DL')")
    val none = Seq((OneOf(0, Set("B")), true, true), (OneOf(0, Set("B")), false, false))
    assert(words(carrier, none: _*) == "carrier IS NULL")
    val others = Seq((OneOf(0, Set("B")), false, false), (OneOf(0, Set("A")), false, false))
    assert(words(carrier, others: _*) == "(carrier NOT IN ('A', 'B') OR carrier IS NULL)")
  }

  test("children that agree become one leaf, up to the root") {
    assert(tree.relabelled(Map(0 -> 4, 1 -> 5, 2 -> 5)) == tree.copy(matching = Leaf(4), other = Leaf(5)))
    assert(tree.relabelled(_ => 0) == Leaf(0))
  }

  test("a tree is the same after it was written and read") {
    val bytes = new ByteArrayOutputStream
    new ObjectOutputStream(bytes).writeObject(
      Routes.of(tree, r => Vector(Seq(0, 1, 2), Seq(1, 0, 2), Seq(2, 1, 0))(r).toVector)
    )
    val back = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray)).readObject()
    assert(back.asInstanceOf[Routes].tree == tree && back.asInstanceOf[Routes].orders.size == 3)
  }

  test("to route a row allocates nothing") {
    val rows = Array(("AA", 1.0), ("UA", 20.0), (null, 3.0)).map { case (carrier, delay) =>
      new AttributeValues {
        def isNull(attribute: Int): Boolean = attribute == 0 && carrier == null
        def number(attribute: Int): Double = delay
        def category(attribute: Int): String = carrier
      }
    }
    var sum = 0
    def go(times: Int): Unit = for (_ <- 0 until times) { sum += tree.route(rows(sum % 3)) + 1 }
    go(20000)
    assert(Allocated.by(go(100000)) < 10000, sum)
  }

  test("routes that are none are refused, and so are trees over other columns") {
    def refusal(body: => Any) = intercept[IllegalArgumentException](body).getMessage
    assert(refusal(Routes(Leaf(0), Vector.empty)).contains("at least 1"))
    assert(refusal(Routes(Leaf(1), Vector(Vector(0)))).contains("expected each of 0 to 0"))
    assert(refusal(Routes.single(Vector(0, 0))).contains("each of 0 to 1 once"))
    assert(refusal(Above(0, Double.NaN)).contains("NaN"))
    val routes = Routes.of(tree, r => Vector(Vector(0, 1, 2), Vector(1, 0, 2), Vector(2, 1, 0))(r))
    routes.requireAttributes(attributes)
    assert(
      refusal(routes.requireAttributes(attributes.take(1))).contains("allowed are 0 (carrier, a category)")
    )
    assert(refusal(routes.requireAttributes(attributes.reverse)).contains("1 (carrier, a category)"))
  }

  test("equal orders are one route, and a tree that tells nothing apart is none") {
    assert(Routes.of(tree, _ => Vector(1, 0)) == Routes.single(Vector(1, 0)))
    val two = Routes.of(tree, r => if (r == 1) Vector(0, 1) else Vector(1, 0))
    assert(two.orders == Seq(Vector(1, 0), Vector(0, 1)) && two.tree.leaves.map(_.route) == Seq(0, 1, 0))
    assert(two.obeys(new Precedence(2)) && !two.obeys(Precedence.of(2, 1 -> 0)))
  }
}
