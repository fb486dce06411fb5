package org.streamon.spark.execution.python

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.streamon.{PythonFunctions, PythonWorker}
import org.apache.spark.sql.types.{BooleanType, StringType, StructField, StructType}
import org.json4s.JsonDSL._
import org.json4s.{JObject, JValue}
import org.json4s.jackson.JsonMethods.{compact, render}

/** The data about a filter of Python predicates for the tasks of one execution. The driver makes it.
  *
  * @param conjuncts
  *   without functions, which are evaluated before or after these
  * @param arguments
  *   of all functions, each once
  * @param input
  *   columns of the rows
  * @param output
  *   these, and the results that are read above
  * @param batchRows
  *   rows that go to the worker together, at most
  * @param batchBytes
  *   the size of the rows after which a batch ends
  */
private[python] final case class PythonFilterRun(
    worker: PythonWorker.Setup,
    conjuncts: Seq[Expression],
    arguments: Seq[Expression],
    input: Seq[Attribute],
    output: Seq[Attribute],
    batchRows: Int,
    batchBytes: Long,
    workerMetrics: Map[String, SQLMetric],
    numOutputRows: SQLMetric
) {
  def newConjuncts(partition: Int): TaskConjuncts = new TaskConjuncts(conjuncts, input, partition)

  /** The columns that go to the worker. */
  def sent: StructType =
    StructType(
      StructField("control", StringType) +: StructField("mark", BooleanType) +:
        PythonFilterRun.types(arguments)
    )
}

private[python] object PythonFilterRun {

  def apply(plan: AdaptivePythonFilterExec, workerMetrics: Map[String, SQLMetric]): PythonFilterRun = {
    val arguments = mutable.ArrayBuffer.empty[Expression]
    val users = mutable.ArrayBuffer.empty[Array[Byte]]
    val steps: Seq[JValue] = plan.functions.indices.map { f =>
      val function = plan.functions(f)
      val result = plan.results(f)
      val commands = PythonFunctions.commands(function)
      users ++= commands
      ("kind" -> plan.kinds(f)) ~
        ("level" -> plan.levels(f)) ~
        ("commands" -> (users.length - commands.length until users.length)) ~
        ("arguments" -> PythonFunctions.arguments(function).map(argument(_, plan.results, arguments))) ~
        ("condition" -> plan.asked(f).flatMap(FunctionCondition.of(_, result))) ~
        ("type" -> function.dataType.json) ~
        ("needed" -> plan.needed.exists(_.exprId == result.exprId))
    }
    val spec = ("steps" -> steps) ~
      ("arguments" -> StructType(types(arguments.toSeq)).json) ~
      ("conf" -> PythonWorker.workerConf(plan))
    val mostRows = plan.conf.arrowMaxRecordsPerBatch
    PythonFilterRun(
      PythonWorker.setup(plan, WorkerProgram.command(compact(render(spec)), users.toSeq), plan.functions),
      plan.conjuncts,
      arguments.toSeq,
      plan.child.output,
      plan.output,
      if (mostRows > 0) mostRows else Int.MaxValue,
      plan.conf.arrowMaxBytesPerBatch,
      workerMetrics,
      plan.longMetric("numOutputRows")
    )
  }

  /** An argument of a function, as the worker knows it: a column or what another function returns, and the
    * name by which it is passed if any.
    */
  private def argument(
      written: Expression,
      results: Seq[Attribute],
      columns: mutable.Buffer[Expression]
  ): JValue = {
    val value = PythonFunctions.value(written)
    val name = Some(written).collect { case named: NamedArgumentExpression => named.key }
    val read: JObject = results.indexWhere(_.semanticEquals(value)) match {
      case -1 =>
        if (!columns.exists(_.semanticEquals(value))) columns += value
        "offset" -> columns.indexWhere(_.semanticEquals(value))
      case result => "result" -> result
    }
    read ~ ("name" -> name)
  }

  private def types(arguments: Seq[Expression]) =
    arguments.zipWithIndex.map { case (argument, i) => StructField(s"_$i", argument.dataType) }
}
