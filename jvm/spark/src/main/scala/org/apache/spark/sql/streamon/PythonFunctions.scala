package org.apache.spark.sql.streamon

import org.apache.spark.api.python.{PythonEvalType, PythonFunction}
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, NamedArgumentExpression, PythonUDF}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.types._
import org.apache.spark.sql.execution.python.{ArrowEvalPythonExec, BatchEvalPythonExec, EvalPythonExec}

/** The properties of users' Python functions in Spark. */
object PythonFunctions {

  /** Kinds whose functions take and give a row, or as many rows as they are given. */
  val oneToOne: Set[Int] = Set(
    PythonEvalType.SQL_BATCHED_UDF,
    PythonEvalType.SQL_ARROW_BATCHED_UDF,
    PythonEvalType.SQL_SCALAR_ARROW_UDF,
    PythonEvalType.SQL_SCALAR_PANDAS_UDF
  )

  /** Whether a function may be called with values that came by Arrow. What is pickled becomes the same Python
    * objects for these types of arguments, and comes back as the same values for these types of results.
    */
  def takesArrow(udf: PythonUDF, kind: Int): Boolean =
    kind != PythonEvalType.SQL_BATCHED_UDF || (arguments(udf).map(_.dataType).forall {
      case _: DecimalType => true
      case StringType     => true
      case other          => isPlain(other)
    } && isPlain(udf.dataType))

  /** Whether what a function is called with may be of another pandas type where another row of its batch is
    * NULL: whole numbers are floating-point ones then.
    */
  def seesBatch(udf: PythonUDF, kind: Int): Boolean = arguments(udf).exists(seesBatch(_, kind))

  /** The same of one argument. */
  def seesBatch(argument: Expression, kind: Int): Boolean =
    kind == PythonEvalType.SQL_SCALAR_PANDAS_UDF && (argument.dataType match {
      case _: StructType | _: ArrayType | _: MapType => true
      case _: IntegralType | BooleanType             => argument.nullable
      case _                                         => false
    })

  /** Whether what a function returns is the same to another one when it has not been on the JVM. */
  def staysInWorker(dataType: DataType): Boolean = dataType match {
    case _: DecimalType          => true
    case StringType | BinaryType => true
    case other                   => isPlain(other)
  }

  /** An argument without its name. */
  def value(argument: Expression): Expression = argument match {
    case NamedArgumentExpression(_, value) => value
    case other                             => other
  }

  private def isPlain(dataType: DataType) = dataType match {
    case BooleanType | ByteType | ShortType | IntegerType | LongType | FloatType | DoubleType | DateType =>
      true
    case _ => false
  }

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
