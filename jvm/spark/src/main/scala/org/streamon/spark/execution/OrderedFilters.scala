package org.streamon.spark.execution

import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.{ExplainUtils, UnaryExecNode}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.streamon.SessionOwner
import org.streamon.core.routes.{Attribute => RouteAttribute}
import org.streamon.spark.errors.Refusal
import org.streamon.spark.learning.{LearnedPlan, PlanMemory, Structure}
import org.streamon.spark.metrics.{FilterCounts, FilterMonitor, FilterTexts, Guard, Reports}
import org.streamon.spark.routes.Routing
import org.streamon.spark.settings.FilterSettings

/** The common part of the operators with filters in an adaptive order: their first order, what is remembered
  * about such filters, and how counts are sent to the driver.
  */
trait OrderedFilters extends UnaryExecNode {
  def settings: FilterSettings

  /** Tells such operators of a query apart. */
  def operatorId: Int

  /** Its name within the query, as people read it. */
  private[spark] final def operator: String = s"$nodeName $operatorId"

  /** The filters as people read them, by written position. */
  def texts: IndexedSeq[String]

  /** What the filters are, types included. */
  protected def structure: Structure

  /** The order to begin with where nothing has been learned. */
  protected def unlearnedOrder: IndexedSeq[Int]

  /** Pairs (before, after) of written positions that must keep their relative place. */
  protected def pinned: Seq[(Int, Int)]

  /** The written position from which on filters are evaluated together, if any. */
  protected def blockFrom: Option[Int]

  /** What the trees of routes look at. */
  protected def attributes: IndexedSeq[RouteAttribute] = Vector.empty

  /** How rows are sent on routes, if they are. */
  protected def routing(learned: Option[LearnedPlan]): Option[Routing] = None

  /** Whether generated code has the first order without a loop. */
  protected def runsStraight: Boolean

  protected def orderMetrics: Map[String, SQLMetric] = {
    def sum(name: String) = SQLMetrics.createMetric(sparkContext, name)
    Map(
      "numOutputRows" -> sum("number of output rows"),
      "profiledRows" -> sum("number of profiled rows"),
      "reorders" -> sum("number of reorders"),
      "reevaluatedRows" -> sum("number of rows re-evaluated in written order")
    ) ++ texts.zipWithIndex.flatMap { case (text, q) =>
      Seq(s"evaluations$q" -> sum(s"evaluations of $text"), s"drops$q" -> sum(s"rows dropped by $text"))
    }
  }

  /** What is remembered of such filters; none where it would be of no use. */
  @transient private lazy val memory: Option[PlanMemory] =
    if (settings.learns(texts.size)) PlanMemory.of(session, structure) else None

  private def recalled: Option[LearnedPlan] = memory.flatMap(_.recall(texts.size))

  /** What the tasks of one execution need; made on the driver. */
  private[spark] def newRuntime(): FilterRuntime = {
    val learned = recalled
    setTagValue(OrderedFilters.begun, learned)
    val first = firstOrder(learned)
    val source = child.output.map(_.exprId.id).mkString(",")
    FilterRuntime(
      texts.size,
      first,
      learned.fold(Seq.empty[Guard])(_.guards),
      Option.when(runsStraight)(first),
      pinned,
      blockFrom,
      settings,
      operator,
      structure.hash,
      source,
      FilterRuntime.Metrics(
        texts.indices.map(q => longMetric(s"evaluations$q")).toArray,
        texts.indices.map(q => longMetric(s"drops$q")).toArray,
        longMetric("profiledRows"),
        longMetric("reorders"),
        longMetric("reevaluatedRows")
      ),
      reports(
        FilterTexts(
          SessionOwner.of(session),
          operator,
          structure.hash,
          settings.algorithm,
          texts,
          attributes
        ),
        source
      ),
      routing(learned)
    )
  }

  /** Takes what tasks count. Batch executions of one structure differ by what they read. */
  private def reports(streaming: FilterTexts, source: String): Reports[FilterCounts] = {
    val batch = streaming.copy(fingerprint = streaming.fingerprint + source)
    val learning = memory
    val reports = new Reports[FilterCounts]({ counts =>
      val report = FilterMonitor.record(counts, if (counts.isStreaming) streaming else batch)
      learning.foreach(_.learn(report))
    })
    sparkContext.register(reports)
    reports
  }

  /** The order to begin with: what is learned as far as it is allowed. */
  private def firstOrder(learned: Option[LearnedPlan]): Array[Int] = Guard
    .precedence(texts.size, pinned, learned.fold(Seq.empty[Guard])(_.guards))
    .repair(learned.fold(unlearnedOrder)(_.order).toArray)

  /** By which algorithm, or why not. */
  protected def adapts: String =
    getTagValue(Refusal.tag).fold(settings.algorithm)(r => s"does not adapt: ${r.code}")

  override def verboseStringWithOperatorId(): String = {
    val learned = getTagValue(OrderedFilters.begun).getOrElse(recalled)
    s"""$formattedNodeName
       |${ExplainUtils.generateFieldString("Input", child.output)}
       |Algorithm : $adapts
       |${ExplainUtils.generateFieldString("Conjuncts", texts)}
       |${firstOrderString(learned)}
       |${routesString(learned)}""".stripMargin
  }

  /** What it begins with where rows of several kinds have an order each. */
  private def routesString(learned: Option[LearnedPlan]): String = {
    val lines = for {
      begun <- routing(learned).toSeq
      routes <- begun.forced.orElse(begun.learned).toSeq
      r <- routes.orders.indices
      name = s"Route of ${routes.tree.words(r, begun.attributes)}"
    } yield ExplainUtils.generateFieldString(name, routes.orders(r).map(texts)) + "\n"
    lines.mkString
  }

  private def firstOrderString(learned: Option[LearnedPlan]): String = {
    val name = learned.fold("First order")(plan => s"First order, learned ${plan.learned}")
    ExplainUtils.generateFieldString(name, firstOrder(learned).map(texts).toSeq)
  }
}

private object OrderedFilters {

  /** On an operator that has run: what its latest execution began with. */
  val begun: TreeNodeTag[Option[LearnedPlan]] = TreeNodeTag[Option[LearnedPlan]]("streamon_begun")
}
