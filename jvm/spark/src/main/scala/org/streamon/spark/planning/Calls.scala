package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.execution.{FilterExec, ProjectExec, SparkPlan}
import org.apache.spark.sql.execution.python.EvalPythonExec
import org.apache.spark.sql.streamon.PythonFunctions
import org.streamon.spark.errors.Refusal
import org.streamon.spark.execution.python.FunctionCondition
import org.streamon.spark.expressions.MayRaise
import org.streamon.spark.logical.FilterHint

/** A stack of filters and the Python functions whose results they read. Spark puts the functions of one kind
  * into one node, and pushes conditions below the next node if they need no functions of it. These nodes are
  * the levels of the stack.
  *
  * @param functions
  *   the functions, in the order in which Spark calls them
  * @param conjuncts
  *   the conjuncts of all the filters
  * @param child
  *   the plan below the stack
  */
private[planning] final case class Calls(
    functions: Seq[Calls.Function],
    conjuncts: Seq[Expression],
    child: SparkPlan
) {
  val results: AttributeSet = AttributeSet(functions.map(_.result))

  /** Whether the worker can ask this of one of the results. */
  def asks(conjunct: Expression): Boolean =
    functions.exists(f => FunctionCondition.of(conjunct, f.result).isDefined)

  /** Why a function stays where it is, if it does. */
  def refusal(function: Calls.Function): Option[Refusal] = {
    val udf = function.udf
    if (!udf.deterministic) Some(Refusal.FunctionNotDeterministic(udf.name))
    else if (!PythonFunctions.oneToOne(function.kind))
      Some(Refusal.FunctionKind(udf.name, PythonFunctions.nameOf(function.kind)))
    else if (!PythonFunctions.takesArrow(udf, function.kind)) Some(Refusal.PickledTypes(udf.name))
    else if (!hasResults(function)) Some(Refusal.FunctionOfFunction(udf.name))
    else None
  }

  /** The hints of the filters. What is left of a condition may be the column of a result alone: then the
    * function has the hint.
    */
  def hints: Seq[FilterHint] = (conjuncts ++ functions.map(_.udf)).flatMap(FilterHint.on).distinct

  /** Whether these may be called in batches that have other rows beside them than in Spark. What they are
    * called with must be known of those: it is evaluated ahead of the worker.
    */
  def joinOthers: Boolean =
    !functions.exists(f => PythonFunctions.seesBatch(f.udf, f.kind) || callMayRaise(f.udf))

  /** Whether what a function is called with may raise on a row. */
  private def callMayRaise(udf: PythonUDF): Boolean =
    PythonFunctions.arguments(udf).map(PythonFunctions.value).exists(MayRaise(_))

  /** Whether the worker has what a function is called with that others return: these results themselves, of
    * types that it need not send to the JVM, nor know for all rows of a batch.
    */
  private def hasResults(function: Calls.Function): Boolean =
    PythonFunctions.arguments(function.udf).map(PythonFunctions.value).forall {
      case a: Attribute if results.contains(a) =>
        PythonFunctions.staysInWorker(a.dataType) && !PythonFunctions.seesBatch(a, function.kind)
      case other => !other.references.exists(results.contains)
    }

  /** Whether functions of a level above may be called before these. */
  private def yields: Boolean = conjuncts.forall(asks) && functions.forall(refusal(_).isEmpty)
}

private[planning] object Calls extends PredicateHelper {

  /** A function, how it is called, the column that stands for its result, and its level from 0 on. */
  final case class Function(udf: PythonUDF, kind: Int, result: Attribute, level: Int)

  /** The functions that a filter reads. Filters below it join in when the worker can ask all that they ask:
    * rows that another condition drops would come to functions that Spark does not call for them.
    */
  def below(filter: FilterExec): Calls = {
    val top = level(filter)
    val further = top.child match {
      case Pruned(next: FilterExec) if top.joinOthers && readsFunctions(next) =>
        Some(below(next)).filter(under => under.yields && (under.hints ++ top.hints).distinct.size <= 1)
      case _ => None
    }
    further.fold(top) { under =>
      val above = under.functions.last.level + 1
      Calls(
        under.functions ++ top.functions.map(_.copy(level = above)),
        under.conjuncts ++ top.conjuncts,
        under.child
      )
    }
  }

  /** Whether a filter reads what a node right below it has functions called for. */
  def readsFunctions(filter: FilterExec): Boolean = filter.child match {
    case node: EvalPythonExec => node.resultAttrs.exists(filter.condition.references.contains)
    case _                    => false
  }

  private def level(filter: FilterExec): Calls = {
    def nodes(plan: SparkPlan, read: AttributeSet): (Seq[Function], SparkPlan) = plan match {
      case node: EvalPythonExec if node.resultAttrs.exists(read.contains) =>
        val (before, child) = nodes(node.child, read ++ AttributeSet(node.udfs.flatMap(_.references)))
        val kind = PythonFunctions.kind(node)
        (before ++ node.udfs.zip(node.resultAttrs).map { case (u, r) => Function(u, kind, r, 0) }, child)
      case other => (Nil, other)
    }
    val (functions, child) = nodes(filter.child, filter.condition.references)
    Calls(functions, splitConjunctivePredicates(filter.condition), child)
  }

  /** A plan, without a projection that only leaves columns out. */
  private object Pruned {
    def unapply(plan: SparkPlan): Some[SparkPlan] = plan match {
      case ProjectExec(columns, child) if columns.forall(_.isInstanceOf[Attribute]) => Some(child)
      case other                                                                    => Some(other)
    }
  }
}
