package org.streamon.spark.learning

import java.time.Instant

import org.apache.spark.util.SizeEstimator
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.metrics.Guard

/** What the driver keeps of learned plans. */
class LearnedPlansSuite extends AnyFunSuite {
  private def plan(size: Int, guards: Guard*) =
    LearnedPlan(0 until size, guards, Instant.EPOCH, 1.0, Some(2.0))
  private def structure(n: Int) = Structure("filter", Seq(n.toString))

  test("plans make room for each other; those that were told or asked for last stay") {
    val plans = new LearnedPlans(100 << 10)
    for (n <- 0 until 1000) {
      plans.put("session", structure(n), plan(8, Guard(0, 1, 0L)))
      assert(plans.get("session", structure(0)).isDefined)
    }
    assert(plans.size < 1000 && plans.get("session", structure(999)).isDefined)
    assert(plans.get("session", structure(1)).isEmpty)
    assert(SizeEstimator.estimate(plans) < (200 << 10))
    val before = plans.size
    for (_ <- 1 to 1000) plans.put("session", structure(0), plan(8, Guard(0, 1, 0L)))
    assert(plans.size == before, "a plan in the place of another takes no more")
  }

  test("a scope sees its own plans only") {
    val plans = new LearnedPlans(100 << 10)
    plans.put("session 1", structure(0), plan(2))
    assert(plans.get("session 2", structure(0)).isEmpty)
  }

  test("structures differ by kind and by each part") {
    val all = Seq(
      "filter" -> Seq("a", "b"),
      "filter" -> Seq("ab"),
      "filter" -> Seq("a", "c"),
      "filter" -> Seq("b", "a")
    )
    val structures = (all :+ ("pipeline" -> Seq("a", "b"))).map { case (kind, parts) =>
      Structure(kind, parts)
    }
    assert(structures.distinct.size == structures.size)
    assert(structures.map(_.hash).distinct.size == structures.size)
  }

  test("a plan that is not one of the size does not fit") {
    assert(plan(3, Guard(0, 2, 0L)).fits(3) && !plan(3).fits(4) && !plan(3, Guard(0, 3, 0L)).fits(3))
    assert(!plan(3).copy(order = Vector(0, 1, 1)).fits(3))
  }

  test("what is written is read") {
    for (p <- Seq(plan(3, Guard(0, 2, 7L), Guard(1, 2, 1764012345678L)), plan(2).copy(asWritten = None)))
      assert(PlanFormat.read(PlanFormat.write(structure(0), p)) == p)
  }
}
