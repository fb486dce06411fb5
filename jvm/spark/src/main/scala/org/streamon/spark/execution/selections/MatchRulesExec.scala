package org.streamon.spark.execution.selections

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{ExplainUtils, SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.apache.spark.sql.streamon.StreamonConf
import org.apache.spark.sql.types.{ArrayType, IntegerType}
import org.streamon.spark.errors.Refusal
import org.streamon.spark.logical.MatchRulesText
import org.streamon.spark.selections.{ColumnText, SentSelections, SharedSelections}

/** The rows of which some rule holds, with the rules that hold. Rules are evaluated together, by attribute
  * selection constructs (ASC, Sections 3 and 4).
  *
  * @param columns
  *   those that have a construct
  * @param read
  *   what residuals read
  * @param matched
  *   the rules that hold, in ascending order of their numbers: an array of their names, which are texts, or
  *   of their numbers, which are INTs
  * @param keepsAll
  *   whether rows of which no rule holds stay, with an empty array
  */
case class MatchRulesExec(
    columns: Seq[Expression],
    read: Seq[Expression],
    rules: SentSelections,
    matched: Attribute,
    child: SparkPlan,
    keepsAll: Boolean = false
) extends UnaryExecNode
    with MatchCodegen
    with MatchRulesText {
  override def output: Seq[Attribute] = child.output :+ matched
  override def producedAttributes: AttributeSet = AttributeSet(matched)
  override def outputOrdering: Seq[SortOrder] = child.outputOrdering
  override def outputPartitioning: Partitioning = child.outputPartitioning

  override lazy val metrics: Map[String, SQLMetric] = {
    def sum(name: String) = SQLMetrics.createMetric(sparkContext, name)
    Map(
      "numOutputRows" -> sum("number of output rows"),
      "matches" -> sum("number of matches"),
      "residuals" -> sum("number of residual conditions evaluated"),
      "sampled" -> sum("number of sampled rows"),
      "memory" -> SQLMetrics.createSizeMetric(sparkContext, "memory of the sets of rules")
    ) ++ texts.zipWithIndex.map { case (column, k) => s"asked$k" -> sum(s"rows asked for $column") }
  }

  /** The columns as people read them. */
  private[spark] def texts: Seq[String] = columns.map(ColumnText(_))

  private[spark] def selections: SharedSelections = rules.selections

  @transient private lazy val reports = new MatchReports(
    session,
    nodeName,
    columns,
    rules,
    source = output.map(_.exprId.id).mkString(",")
  )

  /** The columns in an order that is forced, if any: those that the setting names, and then the others. */
  private def forced: Option[IndexedSeq[Int]] = conf.getConf(StreamonConf.MatchSequence).map { names =>
    val first = names.split(',').toSeq.flatMap { name =>
      columns.indices.find(c => texts(c).equalsIgnoreCase(name.trim))
    }
    (first ++ columns.indices).distinct.toIndexedSeq
  }

  protected def hasNames: Boolean = matched.dataType match {
    case ArrayType(IntegerType, _) => false
    case _                         => true
  }

  /** What the tasks of one execution need; made on the driver. */
  protected def newRuntime(): MatchRuntime = MatchRuntime(
    rules.broadcast(sparkContext),
    reports.learned(MatchReports.Columns).map(_.order),
    reports.learned(MatchReports.Conditions).map(_.order),
    forced,
    MatchRuntime.Metrics(
      columns.indices.map(k => longMetric(s"asked$k")).toArray,
      longMetric("matches"),
      longMetric("residuals"),
      longMetric("sampled"),
      longMetric("memory")
    ),
    reports.register()
  )

  override protected def doExecute(): RDD[InternalRow] = {
    val numOutputRows = longMetric("numOutputRows")
    val runtime = newRuntime()
    val (bound, readBound) = (
      BindReferences.bindReferences(columns, child.output).toArray,
      BindReferences.bindReferences(read, child.output)
    )
    val (in, out) = (child.output, output)
    val (keepsAll, hasNames) = (this.keepsAll, this.hasNames)
    child.execute().mapPartitionsWithIndex { (index, rows) =>
      val matcher = runtime.newMatcher()
      val lookups = matcher.lookups
      val residualRow = InterpretedMutableProjection.createProjection(readBound)
      residualRow.initialize(index)
      val project = UnsafeProjection.create(out, out)
      project.initialize(index)
      val joined = new JoinedRow
      rows.flatMap { row =>
        var column = matcher.begin()
        while (column >= 0) column = matcher.ask(lookups(column).of(bound(column).eval(row)))
        val holds = matcher.isAlive && matcher.holds(if (matcher.readsRow) residualRow(row) else null)
        if (holds || keepsAll) {
          if (!holds) matcher.holdNone()
          numOutputRows += 1
          val found = if (hasNames) matcher.names() else matcher.numbers()
          Iterator.single[InternalRow](project(joined(row, InternalRow(found))))
        } else Iterator.empty
      }
    }
  }

  override def nodeName: String = "MatchRules"

  override def verboseStringWithOperatorId(): String =
    s"""$formattedNodeName
       |${ExplainUtils.generateFieldString("Input", child.output)}
       |Rules : ${selections.names.size}
       |${ExplainUtils.generateFieldString("Columns with a construct", texts)}
       |Residual conditions : ${selections.residuals.size}
       |${firstOrder.getOrElse("")}""".stripMargin

  private def firstOrder: Option[String] = forced
    .map("First order, forced" -> _)
    .orElse(reports.learned(MatchReports.Columns).map(p => s"First order, learned ${p.learned}" -> p.order))
    .map { case (name, order) =>
      ExplainUtils.generateFieldString(name, order.map(texts)) + "\n"
    }

  /** Why rules are not looked up, or nothing is learned, each with what it is about. */
  private[spark] def refusals: Seq[(Refusal, String)] = {
    val unasked = selections.terms.filter(_.asked.isEmpty).flatMap(_.rules).distinct.sorted
    val slow = unasked.filter(selections.residualsOf(_).nonEmpty).map(selections.names(_).toString)
    val rowByRow = Option.when(slow.nonEmpty)(
      Refusal.EvaluatedRowByRow(slow.size) -> slow.take(MatchRulesExec.MostNames).mkString(", ")
    )
    val oneColumn = texts match {
      case Seq(column) => Some(Refusal.OneColumn -> column)
      case _           => None
    }
    rowByRow.toSeq ++ oneColumn
  }

  override protected def withNewChildInternal(newChild: SparkPlan): MatchRulesExec = copy(child = newChild)
}

object MatchRulesExec {

  /** Rules that a refusal names at most. */
  private val MostNames = 20
}
