package org.streamon.spark.execution

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{SafeForKWayMerge, SparkPlan}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.streamon.core.routes.{Attribute => RouteAttribute, Routes}
import org.streamon.spark.errors.Refusal
import org.streamon.spark.expressions.{Conjunct, MayRaise, StaticCost}
import org.streamon.spark.learning.{LearnedPlan, Structure}
import org.streamon.spark.routes.{RouteColumn, RouteText, Routing}
import org.streamon.spark.settings.FilterSettings
import org.streamon.spark.util.LogOnce

/** A filter that evaluates its conjuncts in the best order for the current rows. It returns the same rows as
  * `FilterExec`.
  *
  * @param condition
  *   two or more deterministic conjuncts
  * @param generated
  *   whether stock Spark would generate code for this filter. The written order depends on it
  * @param operatorId
  *   distinguishes the adaptive filters of a query
  */
case class AdaptiveFilterExec(
    condition: Expression,
    settings: FilterSettings,
    generated: Boolean,
    operatorId: Int,
    child: SparkPlan
) extends OrderedFilters
    with FilterCodegen
    with SafeForKWayMerge {

  @transient lazy val conjuncts: IndexedSeq[Conjunct] =
    Conjunct.inWrittenOrder(condition, child.output, generated).toIndexedSeq

  private lazy val provenNotNull = Conjunct.provenNotNull(condition, child.output)

  override def output: Seq[Attribute] =
    child.output.map(a => if (a.nullable && provenNotNull.contains(a.exprId)) a.withNullability(false) else a)

  override def outputOrdering: Seq[SortOrder] = child.outputOrdering
  override def outputPartitioning: Partitioning = child.outputPartitioning

  override lazy val metrics: Map[String, SQLMetric] = orderMetrics

  override def texts: IndexedSeq[String] = conjuncts.map(_.sql)

  @transient override protected lazy val structure: Structure = Structure(
    "filter",
    conjuncts.flatMap(c => c.expression.sql +: c.references.toSeq.map(_.dataType.sql))
  )

  override protected def runsStraight: Boolean = {
    import AdaptiveFilterExec._
    generated && taken <= (if (settings.isRouted) MostStraightRouted else MostStraight)
  }

  /** The columns that the conjuncts read. */
  @transient private lazy val read: AttributeSet = AttributeSet(conjuncts.flatMap(_.references))

  /** The larger of the numbers of conjuncts and of columns that they read: both take a part of the row loop.
    */
  private def taken: Int = math.max(conjuncts.size, child.output.count(read.contains))

  override protected def unlearnedOrder: IndexedSeq[Int] =
    if (settings.cheapestFirst) conjuncts.indices.sortBy(q => StaticCost(conjuncts(q))) else conjuncts.indices

  override protected def blockFrom: Option[Int] = None

  /** The columns that the tree of a Query Mesh may look at. Without generated code all are there anyway. */
  @transient private[spark] lazy val routeColumns: IndexedSeq[RouteColumn] = {
    if (!settings.isRouted || conjuncts.size > AdaptiveFilterExec.MostRouted) Vector.empty
    else if (!generated) RouteColumn.of(child.output, child.outputSet, read, RouteColumn.Most)
    else {
      val known = StoredColumns.neverRaising(child).filter(read.contains)
      val early = StoredColumns.of(child) ++ known
      // Each takes a part of the row loop too.
      RouteColumn.of(child.output, early, read, math.max(AdaptiveFilterExec.MostLookedAt - taken, 0))
    }
  }

  override protected def routing(learned: Option[LearnedPlan]): Option[Routing] =
    Option.when(settings.isRouted) {
      val fitting = for {
        plan <- learned
        text <- plan.routes
        routes <- RouteText.fitting(text, attributes, conjuncts.size)
        if routes.orders.size <= settings.routes.most
      } yield routes
      Routing(attributes, settings.routes, fitting, forcedRoutes)
    }

  private[spark] def forcedRoutes: Option[Routes] =
    if (settings.isRouted) RouteText.forced(settings.routes, attributes, conjuncts.size) else None

  override protected def attributes: IndexedSeq[RouteAttribute] = routeColumns.map(_.attribute)

  /** In strict mode a conjunct that may raise is evaluated behind all that is written before it and ahead of
    * all that is written after it, so that it sees the rows that it sees in stock Spark.
    */
  override protected def pinned: Seq[(Int, Int)] =
    if (!settings.strictErrors) Nil
    else
      for {
        c <- conjuncts.indices if MayRaise(conjuncts(c).expression) || !StoredColumns.in(child)
        q <- conjuncts.indices if q != c
      } yield (math.min(c, q), math.max(c, q))

  override protected def doExecute(): RDD[InternalRow] = if (generated) asItStands() else adaptively()

  /** Where Spark falls back from generated code it evaluates the condition from left to right. That is
    * another written order, so this operator does the same.
    */
  private def asItStands(): RDD[InternalRow] = {
    val refusal = Refusal.CodegenFellBack
    setTagValue(Refusal.tag, refusal)
    LogOnce.warn(session, s"An adaptive filter does not adapt: ${refusal.code}. ${refusal.reason}")
    val numOutputRows = longMetric("numOutputRows")
    val (whole, attributes) = (condition, child.output)
    child.execute().mapPartitionsWithIndex { (index, rows) =>
      val predicate = Predicate.create(whole, attributes)
      predicate.initialize(index)
      rows.filter { row =>
        val passes = predicate.eval(row)
        if (passes) numOutputRows += 1
        passes
      }
    }
  }

  private def adaptively(): RDD[InternalRow] = {
    val numOutputRows = longMetric("numOutputRows")
    val expressions = conjuncts.map(_.expression)
    val attributes = child.output
    val operator = newRuntime()
    val columns = routeColumns
    child.execute().mapPartitionsWithIndex { (index, rows) =>
      val lane =
        if (operator.routing.isDefined) new InterpretedRoutes(operator.newRouteTask(), columns)
        else {
          val task = operator.newTask()
          (_: InternalRow) => task
        }
      val filter =
        new InterpretedFilter(expressions.map(Predicate.create(_, attributes)).toArray, lane, index)
      rows.filter { row =>
        val passes = filter.passes(row)
        if (passes) numOutputRows += 1
        passes
      }
    }
  }

  override protected def doCanonicalize(): SparkPlan =
    super
      .doCanonicalize()
      .asInstanceOf[AdaptiveFilterExec]
      .copy(settings = FilterSettings.canonical, operatorId = 0)

  override def nodeName: String = "AdaptiveFilter"

  override protected def stringArgs: Iterator[Any] = Iterator(s"[$adapts]", condition)

  override protected def withNewChildInternal(newChild: SparkPlan): AdaptiveFilterExec =
    copy(child = newChild)
}

object AdaptiveFilterExec {

  /** Conjuncts, and columns that they read, beyond which no order is generated straight: the row loop would
    * outgrow what the JIT compiler takes (8,000 bytes of bytecode).
    */
  private val MostStraight = 24

  /** The same where a row loop has a tree, and with the columns that the tree may look at. */
  private val MostStraightRouted = 20
  private val MostLookedAt = 22

  /** Conjuncts beyond which there are no routes: the sample of rows would take too much memory. */
  private val MostRouted = 64
}
