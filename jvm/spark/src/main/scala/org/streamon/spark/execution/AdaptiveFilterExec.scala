package org.streamon.spark.execution

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.{ExplainUtils, SafeForKWayMerge, SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.streamon.SessionOwner
import org.streamon.core.filters.Precedence
import org.streamon.spark.errors.Refusal
import org.streamon.spark.expressions.{Conjunct, MayRaise, StaticCost}
import org.streamon.spark.learning.{LearnedPlan, PlanMemory, Structure}
import org.streamon.spark.metrics.{FilterCounts, FilterMonitor, FilterTexts, Guard, Reports}
import org.streamon.spark.settings.FilterSettings
import org.streamon.spark.util.LogOnce

/** A filter whose conjuncts are evaluated in the order that is best for the rows as they are now. Same rows
  * as `FilterExec`.
  *
  * @param condition
  *   deterministic, two or more conjuncts
  * @param generated
  *   whether stock Spark would generate code for this filter, which settles what its written order is
  * @param operatorId
  *   tells the adaptive filters of a query apart
  */
case class AdaptiveFilterExec(
    condition: Expression,
    settings: FilterSettings,
    generated: Boolean,
    operatorId: Int,
    child: SparkPlan
) extends UnaryExecNode
    with FilterCodegen
    with SafeForKWayMerge {

  @transient lazy val conjuncts: IndexedSeq[Conjunct] =
    Conjunct.inWrittenOrder(condition, child.output, generated).toIndexedSeq

  private lazy val provenNotNull = Conjunct.provenNotNull(condition, child.output)

  override def output: Seq[Attribute] =
    child.output.map(a => if (a.nullable && provenNotNull.contains(a.exprId)) a.withNullability(false) else a)

  override def outputOrdering: Seq[SortOrder] = child.outputOrdering
  override def outputPartitioning: Partitioning = child.outputPartitioning

  override lazy val metrics: Map[String, SQLMetric] = {
    def sum(name: String) = SQLMetrics.createMetric(sparkContext, name)
    Map(
      "numOutputRows" -> sum("number of output rows"),
      "profiledRows" -> sum("number of profiled rows"),
      "reorders" -> sum("number of reorders"),
      "reevaluatedRows" -> sum("number of rows re-evaluated in written order")
    ) ++ conjuncts.zipWithIndex.flatMap { case (c, q) =>
      Seq(s"evaluations$q" -> sum(s"evaluations of ${c.sql}"), s"drops$q" -> sum(s"rows dropped by ${c.sql}"))
    }
  }

  @transient private lazy val structure = Structure(
    "filter",
    conjuncts.flatMap(c => c.expression.sql +: c.references.toSeq.map(_.dataType.sql))
  )

  /** What is remembered of such filters; none where it would be of no use. */
  @transient private lazy val memory: Option[PlanMemory] =
    if (settings.learns(conjuncts.size)) PlanMemory.of(session, structure) else None

  private def recalled: Option[LearnedPlan] = memory.flatMap(_.recall(conjuncts.size))

  /** What the tasks of one execution need; made on the driver. */
  private[execution] def newRuntime(): FilterRuntime = {
    val learned = recalled
    setTagValue(AdaptiveFilterExec.begun, learned)
    val guards = learned.fold(Seq.empty[Guard])(_.guards)
    val first = firstOrder(learned)
    val source = child.output.map(_.exprId.id).mkString(",")
    val operator = s"AdaptiveFilter $operatorId"
    FilterRuntime(
      conjuncts.size,
      first,
      guards,
      Option.when(runsStraight)(first),
      pinned,
      settings,
      operator,
      structure.hash,
      source,
      FilterRuntime.Metrics(
        conjuncts.indices.map(q => longMetric(s"evaluations$q")).toArray,
        conjuncts.indices.map(q => longMetric(s"drops$q")).toArray,
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
          conjuncts.map(_.sql)
        ),
        source
      )
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

  private def runsStraight: Boolean = {
    val read = AttributeSet(conjuncts.flatMap(_.references))
    generated && math.max(
      conjuncts.size,
      child.output.count(read.contains)
    ) <= AdaptiveFilterExec.MostStraight
  }

  /** The order to begin with: what is learned as far as it is allowed, else by the table of costs or as
    * written.
    */
  private def firstOrder(learned: Option[LearnedPlan]): Array[Int] = {
    val written = conjuncts.indices
    val unlearned = if (settings.cheapestFirst) written.sortBy(q => StaticCost(conjuncts(q))) else written
    val precedence = Precedence.of(conjuncts.size, pinned: _*)
    for (plan <- learned; guard <- plan.guards) precedence.add(guard.first, guard.second)
    precedence.repair(learned.fold(unlearned: IndexedSeq[Int])(_.order).toArray)
  }

  /** In strict mode a conjunct that may raise is evaluated behind all that is written before it and ahead of
    * all that is written after it, so that it sees the rows that it sees in stock Spark.
    */
  private def pinned: Seq[(Int, Int)] =
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
    LogOnce.warn(session, s"An adaptive filter does not adapt: ${refusal.code}, ${refusal.reason}")
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
    child.execute().mapPartitionsWithIndex { (index, rows) =>
      val filter = new InterpretedFilter(
        expressions.map(Predicate.create(_, attributes)).toArray,
        operator.newTask(),
        index
      )
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

  /** By which algorithm, or why not. */
  private def adapts = getTagValue(Refusal.tag).fold(settings.algorithm)(r => s"does not adapt: ${r.code}")

  override protected def stringArgs: Iterator[Any] = Iterator(s"[$adapts]", condition)

  override def verboseStringWithOperatorId(): String =
    s"""$formattedNodeName
       |${ExplainUtils.generateFieldString("Input", child.output)}
       |Algorithm : $adapts
       |${ExplainUtils.generateFieldString("Conjuncts", conjuncts.map(_.sql))}
       |${firstOrderString}
       |""".stripMargin

  private def firstOrderString: String = {
    val learned = getTagValue(AdaptiveFilterExec.begun).getOrElse(recalled)
    val name = learned.fold("First order")(plan => s"First order, learned ${plan.learned}")
    ExplainUtils.generateFieldString(name, firstOrder(learned).map(q => conjuncts(q).sql).toSeq)
  }

  override protected def withNewChildInternal(newChild: SparkPlan): AdaptiveFilterExec =
    copy(child = newChild)
}

object AdaptiveFilterExec {

  /** Conjuncts, and columns that they read, beyond which no order is generated straight: the row loop would
    * outgrow what the JIT compiler takes (8,000 bytes of bytecode).
    */
  private val MostStraight = 24

  /** On an operator that has run: what its latest execution began with. */
  private val begun = TreeNodeTag[Option[LearnedPlan]]("streamon_begun")
}
