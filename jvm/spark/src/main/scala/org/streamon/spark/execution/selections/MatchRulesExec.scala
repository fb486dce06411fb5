package org.streamon.spark.execution.selections

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.execution.{ExplainUtils, SparkPlan, UnaryExecNode}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics}
import org.streamon.spark.selections.{SentSelections, SharedSelections}

/** The rows of which some rule holds, with the names of the rules that hold. Rules are evaluated together, by
  * attribute selection constructs (ASC, Sections 3 and 4).
  *
  * @param columns
  *   those that have a construct
  * @param read
  *   what residuals read
  * @param matched
  *   the names, as an array of texts in ascending order
  */
case class MatchRulesExec(
    columns: Seq[Expression],
    read: Seq[Expression],
    rules: SentSelections,
    matched: Attribute,
    child: SparkPlan
) extends UnaryExecNode
    with MatchCodegen {
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
    ) ++ columns.zipWithIndex.map { case (column, k) => s"asked$k" -> sum(s"rows asked for ${column.sql}") }
  }

  private[spark] def selections: SharedSelections = rules.selections

  /** What the tasks of one execution need; made on the driver. */
  protected def newRuntime(): MatchRuntime = MatchRuntime(
    rules.broadcast(sparkContext),
    MatchRuntime.Metrics(
      columns.indices.map(k => longMetric(s"asked$k")).toArray,
      longMetric("matches"),
      longMetric("residuals"),
      longMetric("sampled"),
      longMetric("memory")
    )
  )

  override protected def doExecute(): RDD[InternalRow] = {
    val numOutputRows = longMetric("numOutputRows")
    val runtime = newRuntime()
    val (bound, readBound) = (
      BindReferences.bindReferences(columns, child.output).toArray,
      BindReferences.bindReferences(read, child.output)
    )
    val (in, out) = (child.output, output)
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
        if (matcher.isAlive && matcher.holds(if (matcher.readsRow) residualRow(row) else null)) {
          numOutputRows += 1
          Iterator.single[InternalRow](project(joined(row, InternalRow(matcher.names()))))
        } else Iterator.empty
      }
    }
  }

  override def nodeName: String = "MatchRules"

  override protected def stringArgs: Iterator[Any] =
    Iterator(rules, columns.mkString("[", ", ", "]"), matched)

  override def verboseStringWithOperatorId(): String =
    s"""$formattedNodeName
       |${ExplainUtils.generateFieldString("Input", child.output)}
       |Rules : ${selections.names.size}
       |${ExplainUtils.generateFieldString("Columns with a construct", columns.map(_.sql))}
       |Residual conditions : ${selections.residuals.size}
       |""".stripMargin

  override protected def withNewChildInternal(newChild: SparkPlan): MatchRulesExec = copy(child = newChild)
}
