package org.streamon.spark.routes

import scala.util.Random

import org.apache.spark.unsafe.types.UTF8String
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.Allocated
import org.streamon.core.routes._
import org.streamon.spark.Replay

class FlatTreeSuite extends AnyFunSuite {
  private val names = Vector("", "a", "AA", "DL", "ü", "a" * 100)

  /** A number, and a text; None for null. */
  private case class Values(number: Option[Double], text: Option[String]) extends AttributeValues {
    def isNull(attribute: Int): Boolean = if (attribute == 0) number.isEmpty else text.isEmpty
    def number(attribute: Int): Double = number.get
    def category(attribute: Int): String = text.get
  }

  private def route(flat: FlatTree, values: Values): Int = {
    val text = values.text.map(UTF8String.fromString).orNull
    var node = flat.root
    while (node >= 0)
      node =
        if (flat.attribute(node) == 0) flat.next(node, values.number.isEmpty, values.number.getOrElse(0.0))
        else flat.next(node, values.text.isEmpty, text)
    -1 - node
  }

  test("rows go where the tree says, for random trees and rows") {
    val seed = Replay.seed.getOrElse(1L)
    info(s"seed $seed")
    val random = new Random(seed)
    def pick[T](from: Seq[T]): T = from(random.nextInt(from.size))
    val numbers = Seq(-1.0, -0.0, 0.0, 1.5, 7.0, Double.NaN, Double.PositiveInfinity)
    var leaves = 0
    def tree(depth: Int): Tree =
      if (depth == 0 || random.nextInt(5) == 0) {
        leaves += 1
        Leaf(leaves - 1)
      } else {
        val test =
          if (random.nextBoolean()) Above(0, pick(numbers.filterNot(_.isNaN)))
          else OneOf(1, Set(pick(names), pick(names)))
        Branch(test, random.nextBoolean(), tree(depth - 1), tree(depth - 1))
      }
    for (_ <- 1 to 300) {
      val whole = tree(4)
      val flat = new FlatTree(whole)
      for (_ <- 1 to 30) {
        val values = Values(
          Option.when(random.nextInt(4) > 0)(pick(numbers)),
          Option.when(random.nextInt(4) > 0)(pick(names))
        )
        assert(route(flat, values) == whole.route(values), s"$whole $values")
      }
    }
  }

  test("to send a row on its way allocates nothing") {
    val flat = new FlatTree(
      Branch(OneOf(1, Set("AA", "DL")), false, Leaf(0), Branch(Above(0, 1.0), true, Leaf(1), Leaf(2)))
    )
    val texts = Array("AA", "UA").map(UTF8String.fromString)
    def run(rows: Int): Long = Allocated.by {
      var k, sum = 0
      while (k < rows) {
        var node = flat.next(flat.root, false, texts(k & 1))
        if (node >= 0) node = flat.next(node, false, k.toDouble)
        sum += node
        k += 1
      }
      assert(sum < 0)
    }
    run(100000)
    assert(run(200000) - run(100000) < 10000)
  }

  test("a text that is too long to be kept is in no set, and is not copied") {
    val values = new SampledValues(2)
    values.set(0, isNull = false, 1.5)
    values.set(1, isNull = false, UTF8String.fromString("AA"))
    assert(values.number(0) == 1.5 && values.category(1) == "AA" && !values.isNull(1))
    values.set(1, isNull = false, UTF8String.fromString("ü" * 200))
    assert(values.category(1) == null)
    values.set(1, isNull = true, null: UTF8String)
    assert(values.isNull(1))
  }
}
