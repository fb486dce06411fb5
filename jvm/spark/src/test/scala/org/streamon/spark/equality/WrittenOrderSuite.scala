package org.streamon.spark.equality

import org.apache.spark.sql.Row
import org.apache.spark.sql.types._
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite

/** Checks the oracle of [[Equality]] by hand. The rows have the ids 0 to 3. `cast(c0 AS TINYINT)` overflows
  * on rows 1 and 3.
  */
class WrittenOrderSuite extends AnyFunSuite with SparkSuite {
  private lazy val sandbox = new Sandbox(spark)
  private val table = RandomTable(
    StructType.fromDDL("id BIGINT NOT NULL, c0 INT NOT NULL"),
    Seq(0 -> 5, 1 -> 900, 2 -> -5, 3 -> 200).map { case (id, c) => Row(id.toLong, c) }
  )
  private val raising = "cast(c0 AS TINYINT) > 1"

  private val pass = WrittenOrder.Pass
  private val drop = WrittenOrder.Drop
  private val overflow = WrittenOrder.Fail("CAST_OVERFLOW from SparkArithmeticException")

  override def beforeAll(): Unit = {
    super.beforeAll()
    spark.conf.set("spark.streamon.enabled", "false")
  }

  override def afterAll(): Unit = {
    sandbox.close()
    super.afterAll()
  }

  test("a row has the verdict of the conjuncts in written order") {
    assert(plain(raising).verdicts === Seq(pass, overflow, drop, overflow))
    assert(plain("c0 < 500", raising).verdicts === Seq(pass, drop, drop, overflow))
    assert(plain(raising, "c0 < 500").errors === Set(overflow.error))
    assert(plain(raising, "c0 < 500").passing === Set(0L))
  }

  test("an error is unmaskable where no conjunct rejects the row") {
    assert(plain(raising, "id >= 0").unmaskable === Set(1, 3))
    assert(plain(raising, "c0 < 500").unmaskable === Set(3))
    assert(plain(raising, "c0 < 500", "id = 1").unmaskable === Set())
  }

  test("a part of a conjunct rejects a row on which an earlier part raises") {
    assert(plain(s"$raising AND id = 1").unmaskable === Set(1))
  }

  test("a condition that holds for no row rejects them all") {
    assert(plain(raising, "c0 IS NULL").unmaskable === Set())
  }

  // `w` of `dim` is 0 to 6.
  Seq(
    "id IN (SELECT w * 3 FROM dim)" -> Set(3),
    "(id = 1 OR id IN (SELECT w + 4 FROM dim))" -> Set(1),
    "id > (SELECT min(w) + 1 FROM dim)" -> Set(3),
    "EXISTS (SELECT 1 FROM dim d WHERE d.k = t.id)" -> Set(3),
    "(SELECT max(w) FROM dim d WHERE d.k = t.id) = 1" -> Set(3),
    "(SELECT max(w) FROM dim d WHERE d.k = t.id) = 0" -> Set()
  ).foreach { case (subquery, unmaskable) =>
    test(s"below an aggregate a subquery rejects a row before another conjunct raises: $subquery") {
      assert(aboveAggregate(raising, subquery).unmaskable === unmaskable)
    }
  }

  test("elsewhere a subquery that becomes a join rejects a row after another conjunct has raised") {
    assert(plain(raising, "id IN (SELECT w FROM dim WHERE w > 2)").unmaskable === Set(1, 3))
    assert(aboveAggregate(raising, "c0 IN (SELECT w * 100 FROM dim)").unmaskable === Set(1, 3))
  }

  private def plain(conjuncts: String*): WrittenOrder = written(Shape.Plain, conjuncts)

  private def aboveAggregate(conjuncts: String*): WrittenOrder = written(Shape.AboveAggregate, conjuncts)

  private def written(shape: Shape, conjuncts: Seq[String]): WrittenOrder =
    new WrittenOrder(spark, sandbox, Trial(0, table, Source.Rdd, 1, conjuncts, shape, Nil))
}
