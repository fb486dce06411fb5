package org.streamon.spark.suites

import org.apache.spark.SparkFunSuite
import org.scalactic.source.Position
import org.scalatest.Tag
import org.streamon.spark.metrics.{FilterMonitor, FilterReport}

/** Runs a published suite of Spark with adaptive filters in the place of Spark's own. The settings that force
  * them come from the build, as system properties, so that sessions which a test makes for itself have them
  * too.
  *
  * A wrapper that proves nothing must not look like a proof: after its last test a suite fails when no row
  * went through an adaptive filter, or when it skips a test that does not exist.
  */
trait EveryFilterAdaptive extends SparkFunSuite {

  /** Tests that hold a plan to its literal shape: name to what the test looks for. A name stands for its
    * variants too, whose names go on in parentheses.
    */
  def skipped: Map[String, String] = Map.empty

  /** Tests that fail on Spark alone, as they are run here: name to cause. */
  def failingOnStock: Map[String, String] = Map.empty

  /** Which operators the suite is to prove something about. */
  protected def concerns(report: FilterReport): Boolean = report.operator.startsWith("AdaptiveFilter")

  private var before = Map.empty[Any, FilterReport]

  override protected def test(name: String, tags: Tag*)(body: => Any)(implicit position: Position): Unit =
    if (failingOnStock.contains(name) || (!onStock && skipped.keys.exists(isOf(_, name))))
      ignore(name, tags: _*)(body)
    else super.test(name, tags: _*)(body)

  override def beforeAll(): Unit = {
    before = totals
    super.beforeAll()
  }

  override def afterAll(): Unit = {
    super.afterAll()
    val unknown = (skipped.keySet ++ failingOnStock.keySet).filterNot(n => testNames.exists(isOf(n, _)))
    assert(unknown.isEmpty, "is to be skipped, but there is no such test")
    if (!onStock) {
      val now = totals
      def added(count: FilterReport => Long): Long =
        now.map { case (filter, report) => count(report) - before.get(filter).fold(0L)(count) }.sum
      val filters = now.count { case (filter, report) =>
        before.get(filter).forall(_.inputRows < report.inputRows)
      }
      println(
        s"$suiteName: $filters adaptive operators, ${added(_.inputRows)} rows, ${added(_.reorders)} changes of order, " +
          s"${added(_.reevaluated)} rows evaluated again"
      )
      assert(added(_.inputRows) > 0, "No row of this suite went through an adaptive operator.")
    }
  }

  private def isOf(name: String, variant: String): Boolean =
    variant == name || variant.startsWith(name + " (")

  private def totals: Map[Any, FilterReport] =
    FilterMonitor.totals(None).filter(concerns).map(f => (f.query, f.operator, f.conjuncts) -> f).toMap

  // A method: tests are registered before a field of this trait has its value.
  private def onStock: Boolean = sys.props("spark.streamon.enabled") == "false"
}
