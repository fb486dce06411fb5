package org.apache.spark.sql.streamon

import org.apache.spark.api.python.{PythonEvalType, PythonFunction}
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, PythonUDF}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.python.{ArrowEvalPythonExec, BatchEvalPythonExec, EvalPythonExec}

/** What Spark knows of users' Python functions. */
object PythonFunctions {

  /** Kinds whose functions take and give a row, or as many rows as they are given. */
  val oneToOne: Set[Int] = Set(
    PythonEvalType.SQL_ARROW_BATCHED_UDF,
    PythonEvalType.SQL_SCALAR_ARROW_UDF,
    PythonEvalType.SQL_SCALAR_PANDAS_UDF
  )

  /** How the functions of a node are called. */
  def kind(node: EvalPythonExec): Int = node match {
    case arrow: ArrowEvalPythonExec => arrow.evalType
    case _                          => PythonEvalType.SQL_BATCHED_UDF
  }

  /** The node over another plan, with some of its functions, or with all where it is of a kind of its own. */
  def calling(node: EvalPythonExec, functions: Seq[(PythonUDF, Attribute)], child: SparkPlan): SparkPlan = {
    val (udfs, results) = functions.unzip
    node match {
      case arrow: ArrowEvalPythonExec => arrow.copy(udfs = udfs, resultAttrs = results, child = child)
      case batch: BatchEvalPythonExec => batch.copy(udfs = udfs, resultAttrs = results, child = child)
      case other                      => other.withNewChildren(Seq(child))
    }
  }

  def nameOf(kind: Int): String = PythonEvalType.toString(kind)

  /** A function as it was pickled, after those whose results it is called with. */
  def commands(udf: PythonUDF): Seq[Array[Byte]] = chain(udf).map(_.command.toArray)

  /** What a function is called with, or the first of a chain. */
  def arguments(udf: PythonUDF): Seq[Expression] = udf.children match {
    case Seq(inner: PythonUDF) => arguments(inner)
    case children              => children
  }

  private[streamon] def chain(udf: PythonUDF): Seq[PythonFunction] = (udf.children match {
    case Seq(inner: PythonUDF) => chain(inner)
    case _                     => Nil
  }) :+ udf.func
}
