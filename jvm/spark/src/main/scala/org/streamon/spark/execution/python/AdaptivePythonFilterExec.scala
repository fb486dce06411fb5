package org.streamon.spark.execution.python

import org.apache.spark.TaskContext
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.QueryPlan
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.catalyst.util.toPrettySQL
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.execution.python.PythonSQLMetrics
import org.apache.spark.sql.streamon.{PythonFunctions, PythonWorker}
import org.streamon.spark.execution.OrderedFilters
import org.streamon.spark.expressions.Conjunct
import org.streamon.spark.learning.Structure
import org.streamon.spark.settings.FilterSettings

/** A filter whose conditions are on results of Python functions. One worker evaluates the conditions in the
  * best order for the current rows, each on the rows that are left. Conjuncts without functions are evaluated
  * before that, or after it if that is cheaper. It returns the same rows as Spark's `FilterExec` over the
  * nodes that call the functions, and the filter below these nodes.
  *
  * @param conjuncts
  *   without functions; deterministic
  * @param functions
  *   deterministic
  * @param kinds
  *   by function, one of Spark's `PythonEvalType`
  * @param levels
  *   by function: Spark calls it for rows that pass the conditions on functions of lower levels
  * @param results
  *   by function, the column that stands for what it gives
  * @param conditions
  *   each on one of the results, of those that [[FunctionCondition]] knows; two or more results have some
  * @param needed
  *   results that are read above
  */
case class AdaptivePythonFilterExec(
    conjuncts: Seq[Expression],
    functions: Seq[PythonUDF],
    kinds: Seq[Int],
    levels: Seq[Int],
    results: Seq[Attribute],
    conditions: Seq[Expression],
    needed: Seq[Attribute],
    settings: FilterSettings,
    operatorId: Int,
    child: SparkPlan
) extends OrderedFilters {

  override def output: Seq[Attribute] = child.output ++ needed
  override def producedAttributes: AttributeSet = AttributeSet(results)
  override def outputOrdering: Seq[SortOrder] = child.outputOrdering
  override def outputPartitioning: Partitioning = child.outputPartitioning

  /** By function, what is asked of its result. */
  private[python] lazy val asked: Seq[Option[Expression]] =
    results.map(result => conditions.filter(_.references.contains(result)).reduceLeftOption(And(_, _)))

  override lazy val texts: IndexedSeq[String] = (conjuncts.map(c => Conjunct(Nil, Seq(c)).sql) ++
    asked.flatten.map(_.transform { case a: Attribute => called(a) }).map(toPrettySQL(_))).toIndexedSeq

  /** The column that stands for a result, by the name of the call that gives it. */
  private[spark] def called(result: Attribute): Attribute = {
    val function = functions(results.indexWhere(_.exprId == result.exprId))
    val arguments = PythonFunctions
      .arguments(function)
      .map(_.transform {
        case a: Attribute if results.exists(_.exprId == a.exprId) => called(a)
      })
    result.withName(s"${function.name}(${arguments.map(toPrettySQL(_)).mkString(", ")})")
  }

  @transient override protected lazy val structure: Structure = Structure(
    "python filter",
    texts ++ functions.map(_.dataType.sql) ++
      (conjuncts.flatMap(_.references) ++ functions.flatMap(PythonFunctions.arguments)).map(_.dataType.sql)
  )

  override protected def unlearnedOrder: IndexedSeq[Int] = texts.indices
  override protected def blockFrom: Option[Int] = Some(conjuncts.size)

  /** What is asked of a result goes ahead of a function that is called with it: by then it is there. */
  override protected def pinned: Seq[(Int, Int)] = {
    val predicates = functions.indices.filter(asked(_).isDefined)
    for {
      (guarded, position) <- predicates.zipWithIndex
      guard <- read(guarded) if asked(guard).isDefined
    } yield (conjuncts.size + predicates.indexOf(guard), conjuncts.size + position)
  }

  /** The functions whose results one is called with, and those of these. */
  private def read(function: Int): Set[Int] = {
    val references = AttributeSet(PythonFunctions.arguments(functions(function)).flatMap(_.references))
    val direct = results.indices.filter(r => references.contains(results(r))).toSet
    direct ++ direct.flatMap(read)
  }

  override protected def runsStraight: Boolean = false

  private lazy val workerMetrics: Map[String, SQLMetric] =
    PythonSQLMetrics.pythonSizeMetricsDesc.map { case (k, v) =>
      k -> SQLMetrics.createSizeMetric(sparkContext, v)
    } ++
      PythonSQLMetrics.pythonTimingMetricsDesc
        .map { case (k, v) => k -> SQLMetrics.createTimingMetric(sparkContext, v) } +
      ("pythonNumRowsReceived" -> SQLMetrics.createMetric(
        sparkContext,
        "number of rows returned from Python workers"
      ))

  private lazy val times: Map[String, SQLMetric] = texts.zipWithIndex.map { case (text, q) =>
    val about = if (q < conjuncts.size) s"time of $text, from sampled rows" else s"time of $text"
    s"nanos$q" -> SQLMetrics.createNanoTimingMetric(sparkContext, about)
  }.toMap + ("tripNanos" -> SQLMetrics.createNanoTimingMetric(
    sparkContext,
    "processor time of Python workers to read and answer"
  ))

  override lazy val metrics: Map[String, SQLMetric] = orderMetrics ++ workerMetrics ++ times

  override protected def doExecute(): RDD[InternalRow] = {
    val runtime = newRuntime()
    val run = PythonFilterRun(this, workerMetrics)
    val predicates = levels.zip(asked).collect { case (level, Some(_)) => level }.toIndexedSeq
    val taken =
      PythonFilterMetrics(texts.indices.map(q => longMetric(s"nanos$q")), longMetric("tripNanos"))
    val free = conjuncts.size
    val keepsBatches = functions.zip(kinds).exists { case (f, kind) => PythonFunctions.seesBatch(f, kind) }
    child.execute().mapPartitionsWithIndex { (partition, rows) =>
      // A worker may have died of a row that Spark does not call a function for.
      val isFirst = TaskContext.get().attemptNumber() == 0
      val latest = LatestOrder.inFolder(PythonWorker.localFolder)
      val task =
        runtime.begin(new PythonFilterTask(free, predicates, taken, keepsBatches, isFirst, latest, _, _))(
          _.report()
        )
      new PassingRows(run, rows, task, partition)
    }
  }

  /** Equal functions of equal inputs are one plan, whatever their results are called. */
  override protected def doCanonicalize(): SparkPlan = {
    val known = AttributeSeq(child.output ++ results)
    def normalized[E <: Expression](e: E) =
      QueryPlan.normalizeExpressions(e, known).canonicalized.asInstanceOf[E]
    copy(
      conjuncts = conjuncts.map(normalized(_)),
      functions = functions.map(normalized(_)),
      results = results.map(normalized(_)),
      conditions = conditions.map(normalized(_)),
      needed = needed.map(normalized(_)),
      settings = FilterSettings.canonical,
      operatorId = 0,
      child = child.canonicalized
    )
  }

  override def nodeName: String = "AdaptivePythonFilter"

  override protected def stringArgs: Iterator[Any] =
    Iterator(s"[$adapts]", texts.mkString("[", ", ", "]")) ++ Option.when(needed.nonEmpty)(needed)

  override protected def withNewChildInternal(newChild: SparkPlan): AdaptivePythonFilterExec =
    copy(child = newChild)
}
