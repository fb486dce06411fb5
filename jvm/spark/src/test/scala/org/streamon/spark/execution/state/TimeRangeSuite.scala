package org.streamon.spark.execution.state

import org.apache.spark.sql.catalyst.expressions.{AttributeReference, PredicateHelper}
import org.apache.spark.sql.catalyst.plans.logical.{EventTimeWatermark, Filter, LocalRelation}
import org.apache.spark.sql.types.{MetadataBuilder, TimestampType}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.spark.SparkSuite
import org.streamon.spark.logical.IdleSource

/** What conditions say of how far one event time is ahead of another. */
class TimeRangeSuite extends AnyFunSuite with SparkSuite with PredicateHelper {
  private def eventTime(name: String) = {
    val delayed = new MetadataBuilder().putLong(EventTimeWatermark.delayKey, 0L).build()
    AttributeReference(name, TimestampType, metadata = delayed)()
  }
  private val (t, u) = (eventTime("t"), eventTime("u"))

  /** How far t must be ahead of u, milliseconds. */
  private def lead(conditions: String*): Option[Long] = {
    val state = spark.sessionState
    val resolved = conditions.flatMap { sql =>
      // A relation that the optimizer knows to be empty would take the filter with it.
      val filter = Filter(state.sqlParser.parseExpression(sql), IdleSource(LocalRelation(t, u)))
      state.optimizer.execute(state.analyzer.execute(filter)).collect { case f: Filter => f.condition }
    }
    TimeRange.lead(t, u, resolved.flatMap(splitConjunctivePredicates))
  }

  test("a range of one interval leads by it, strictly or not") {
    assert(lead("t > u").contains(0L) && lead("t >= u").contains(-1L))
    assert(lead("t > u - INTERVAL 10 MINUTES").contains(-600000L))
    assert(lead("u <= t + INTERVAL 10 SECONDS").contains(-10001L))
    assert(lead("t < u").isEmpty && lead("t > current_timestamp()").isEmpty && lead().isEmpty)
  }

  test("of several ranges the least counts, and only those of these two") {
    assert(lead("t > u", "t > u - INTERVAL 1 SECOND").contains(-1000L))
    assert(lead("t > u - INTERVAL 1 SECOND", "t < u + INTERVAL 1 SECOND").contains(-1000L))
  }

  test("an interval that stands twice, however it is spelt, does not count once") {
    // Spark 4.2 reads it once, so that it is not trusted; Spark 4.3 reads both.
    def isTwoMinutes(lead: Option[Long]) = lead.forall(_ == -120001L)
    for (second <- Seq("INTERVAL 1 MINUTE", "INTERVAL '60' SECOND", "INTERVAL '1:00' MINUTE TO SECOND")) {
      assert(isTwoMinutes(lead(s"u <= (t + INTERVAL 1 MINUTE) + $second")))
      // A condition the other way says nothing of it.
      assert(isTwoMinutes(lead(s"u <= (t + INTERVAL 1 MINUTE) + $second", "u >= t + INTERVAL 61 SECONDS")))
    }
    assert(lead("u + INTERVAL 1 MINUTE <= t + INTERVAL 60 SECONDS").contains(-1L), "on either side")
  }

  test("times cast to whole seconds are a second less ahead") {
    assert(lead("CAST(t AS LONG) > CAST(u AS LONG) - 600").contains(-600000L))
    assert(lead("CAST(t AS LONG) >= CAST(u AS LONG) - 600").contains(-601001L))
  }
}
