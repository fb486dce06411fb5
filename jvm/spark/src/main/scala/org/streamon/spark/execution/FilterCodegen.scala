package org.streamon.spark.execution

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen._
import org.apache.spark.sql.execution.CodegenSupport
import org.streamon.spark.expressions.{Conjunct, SharedWork}

/** The generated code of an adaptive filter. Conjuncts are reached through an order array, so an order
  * changes without recompiling; each is a method of its own, so the row loop stays small enough for the JIT
  * compiler; a column is read when the first conjunct that is evaluated needs it. Where conjuncts take a few
  * nanoseconds, so does reaching them. So the first order has, besides, code that runs straight through as
  * stock Spark's does, and each conjunct has code for the first place in any order, where most rows leave.
  * See [[FilterTask]] for the loop.
  */
trait FilterCodegen extends CodegenSupport { self: AdaptiveFilterExec =>

  override def supportCodegen: Boolean = generated

  // Columns are read by the conjuncts, not up front, as in FilterExec.
  override def usedInputs: AttributeSet = AttributeSet.empty

  override def inputRDDs(): Seq[RDD[InternalRow]] = child.asInstanceOf[CodegenSupport].inputRDDs()

  override protected def doProduce(ctx: CodegenContext): String =
    child.asInstanceOf[CodegenSupport].produce(ctx, this)

  override def doConsume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String = {
    val early = AttributeSet(routeColumns.map(_.column))
    val slots = new ColumnSlots(ctx, child.output, input, conjuncts.map(_.references), early)
    val tests = conjuncts.map(conjunctTest(ctx, _, slots))
    val columns = conjuncts.map(c => slots.bits(c.references))
    val runtime = newRuntime()
    val (choice, task) = lane(ctx, runtime, slots)
    val (k, pass, order, supervised, error) = (
      ctx.freshName("k"),
      ctx.freshName("pass"),
      ctx.freshName("order"),
      ctx.freshName("supervised"),
      ctx.freshName("error")
    )
    val n = conjuncts.size
    def step(q: Int, position: Int, filling: Long) =
      s"""
         |${slots.fill(filling)}
         |if (!(${tests(q).code(slots)})) {
         |  $task.drop($position);
         |  continue;
         |}
       """.stripMargin
    val begin = runtime.straightOrder.fold(s"int[] $order = $task.startRow();") { straight =>
      val filled = straight.scanLeft(0L)((sofar, q) => sofar | columns(q))
      val steps = straight.zipWithIndex.map { case (q, position) =>
        s"$k = $position;\n${step(q, position, columns(q) & ~filled(position))}"
      }
      val hasFirsts = columns.map(java.lang.Long.bitCount(_)).sum <= FilterCodegen.MostFilledFirst
      val firsts = (if (hasFirsts) conjuncts.indices else Nil).map { q =>
        s"""
           |case $q: {
           |  ${step(q, 0, columns(q))}
           |  $k = 1;
           |  break;
           |}
         """.stripMargin
      }
      s"""
         |try {
         |  switch ($task.enterRow()) {
         |    case $n: {
         |      ${steps.mkString("\n")}
         |      $k = $n;
         |      break;
         |    }
         |    ${firsts.mkString("\n")}
         |  }
         |} catch (Throwable $error) {
         |  $k = $task.withhold($error, $k);
         |}
         |int[] $order = $task.rowOrder();
       """.stripMargin
    }
    // `do` lets a dropped row leave by `continue`.
    s"""
       |do {
       |  ${slots.declarations}
       |  int $k = 0;
       |  boolean $pass = true;
       |  $choice
       |  $begin
       |  boolean $supervised = $task.supervised();
       |  while ($k < $n) {
       |    try {
       |      ${slots.fillMissing(s"${columnsNeeded(ctx, columns)}[$order[$k]]")}
       |      ${new ConjunctSwitch(ctx, slots).choose(s"$order[$k]", pass, tests)}
       |      if ($supervised) {
       |        $k = $task.advance($k, $pass);
       |      } else if ($pass) {
       |        $k++;
       |      } else {
       |        $task.drop($k);
       |        break;
       |      }
       |    } catch (Throwable $error) {
       |      $k = $task.withhold($error, $k);
       |      $order = $task.rowOrder();
       |      $supervised = true;
       |    }
       |  }
       |  if ($supervised) $pass = $task.verdict();
       |  if (!$pass) continue;
       |  ${metricTerm(ctx, "numOutputRows")}.add(1);
       |  ${consume(ctx, slots.outputVariables(output))}
       |} while (false);
     """.stripMargin
  }

  private def columnsNeeded(ctx: CodegenContext, columns: Seq[Long]): String = {
    val reference = ctx.addReferenceObj("columns", columns.toArray, "long[]")
    ctx.addMutableState("long[]", "columnsNeeded", v => s"$v = $reference;", forceInline = true)
  }

  /** The task that a row goes through: how it is chosen, and what it is called then. */
  private def lane(ctx: CodegenContext, runtime: FilterRuntime, slots: ColumnSlots): (String, String) = {
    val reference = ctx.addReferenceObj("adaptiveFilter", runtime)
    def field(of: Class[_], name: String, make: String) =
      ctx.addMutableState(of.getName, name, v => s"$v = $reference.$make();", forceInline = true)
    if (runtime.routing.isEmpty) ("", field(classOf[FilterTask], "filterTask", "newTask"))
    else {
      val routes = field(classOf[RouteTask], "routeTask", "newRouteTask")
      new RouteCodegen(ctx, slots, routeColumns).lane(routes)
    }
  }

  /** Whether the row passes a conjunct, once the columns that it reads are loaded: a method that takes these,
    * and the call to it.
    */
  private def conjunctTest(ctx: CodegenContext, conjunct: Conjunct, slots: ColumnSlots): ConjunctTest = {
    val checked = AttributeSet(conjunct.notNull)
    val columns = child.output.filter(conjunct.references.contains)
    val parameters =
      new ColumnParameters(ctx, columns, a => !checked.contains(a) && slots.isNull(a) != "false")
    val outer = (ctx.currentVars, ctx.INPUT_ROW)
    ctx.currentVars = child.output.map { a =>
      if (columns.contains(a))
        ExprCode(
          if (parameters.isNull(a) == "false") FalseLiteral
          else JavaCode.isNullVariable(parameters.isNull(a)),
          JavaCode.variable(parameters.value(a), a.dataType)
        )
      else null
    }
    ctx.INPUT_ROW = null
    val body = evaluation(ctx, conjunct.predicates.map(BindReferences.bindReference(_, tightened(checked))))
    ctx.currentVars = outer._1
    ctx.INPUT_ROW = outer._2
    val name = ctx.freshName("conjunct")
    val method = ctx.addNewFunction(
      name,
      s"""
         |private boolean $name(${parameters.declared.mkString(", ")}) {
         |  $body
         |  return true;
         |}
       """.stripMargin
    )
    ConjunctTest(
      columns,
      names => {
        val checks = conjunct.notNull.map(names.isNull).filterNot(_ == "false").map("!" + _)
        (checks :+ s"$method(${parameters.arguments(names).mkString(", ")})").mkString(" && ")
      }
    )
  }

  private def tightened(checked: AttributeSet): Seq[Attribute] =
    child.output.map(a => if (checked.contains(a)) a.withNullability(false) else a)

  /** Evaluates predicates from left to right and returns from the method when one is not true. What they
    * share is computed first: the first of them needs it anyway.
    */
  private def evaluation(ctx: CodegenContext, predicates: Seq[Expression]): String = {
    val head = predicates.head
    val shared = SharedWork.within(head) ++ predicates.tail.flatMap(SharedWork.between(head, _))
    val states =
      if (shared.isEmpty) Map.empty[ExpressionEquals, SubExprEliminationState]
      else
        ctx.subexpressionEliminationForWholeStageCodegen(predicates).states.filter { case (e, _) =>
          shared.exists(_.semanticEquals(e.e))
        }
    val code = new StringBuilder(ctx.evaluateSubExprEliminationState(states.values))
    ctx.withSubExprEliminationExprs(states) {
      predicates.foreach { predicate =>
        val evaluated = ExpressionCanonicalizer.execute(predicate).genCode(ctx)
        code.append(s"\n${evaluated.code}\nif (${evaluated.isNull} || !${evaluated.value}) return false;")
      }
      Nil
    }
    code.toString
  }
}

private object FilterCodegen {

  /** Columns that the conjuncts fill in the first place, all together, beyond which the order array leads
    * there too: else the row loop would outgrow what the JIT compiler takes (8,000 bytes of bytecode).
    */
  private val MostFilledFirst = 48
}
