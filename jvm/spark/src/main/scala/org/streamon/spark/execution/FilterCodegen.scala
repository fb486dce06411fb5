package org.streamon.spark.execution

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen._
import org.apache.spark.sql.execution.CodegenSupport
import org.streamon.spark.expressions.SharedWork

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
    val slots = new ColumnSlots(ctx, child.output, input, conjuncts.map(_.references))
    val tests = conjuncts.indices.map(q => conjunctTest(ctx, q, slots))
    val columns = conjuncts.map(c => slots.bits(c.references))
    val runtime = newRuntime()
    val task = newTask(ctx, runtime)
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
         |if (!(${tests(q)})) {
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
    val cases = conjuncts.indices.map { q =>
      s"""
         |case $q:
         |  $pass = ${tests(q)};
         |  break;
       """.stripMargin
    }
    // `do` lets a dropped row leave by `continue`.
    s"""
       |do {
       |  ${slots.declarations}
       |  int $k = 0;
       |  boolean $pass = true;
       |  $begin
       |  boolean $supervised = $task.supervised();
       |  while ($k < $n) {
       |    try {
       |      ${slots.fillMissing(s"${columnsNeeded(ctx, columns)}[$order[$k]]")}
       |      switch ($order[$k]) {
       |        ${cases.mkString("\n")}
       |      }
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

  private def newTask(ctx: CodegenContext, runtime: FilterRuntime): String = {
    val reference = ctx.addReferenceObj("adaptiveFilter", runtime)
    ctx.addMutableState(
      classOf[FilterTask].getName,
      "filterTask",
      v => s"$v = $reference.newTask();",
      forceInline = true
    )
  }

  /** Whether the row passes conjunct q, once the columns that it reads are loaded. */
  private def conjunctTest(ctx: CodegenContext, q: Int, slots: ColumnSlots): String = {
    val checks = conjuncts(q).notNull.map(slots.isNull(_)).filterNot(_ == "false").map("!" + _)
    (checks :+ conjunctMethod(ctx, q, slots)).mkString(" && ")
  }

  /** A method that takes the columns of a conjunct and says whether the row passes it; the call to it. */
  private def conjunctMethod(ctx: CodegenContext, q: Int, slots: ColumnSlots): String = {
    val conjunct = conjuncts(q)
    val checked = AttributeSet(conjunct.notNull)
    val columns = child.output.zipWithIndex.filter { case (a, _) => conjunct.references.contains(a) }
    val outer = (ctx.currentVars, ctx.INPUT_ROW)
    val variables = new Array[ExprCode](child.output.size)
    val parameters = columns.flatMap { case (attribute, ordinal) =>
      val (value, isNull) = (ctx.freshName("value"), ctx.freshName("isNull"))
      val nullable = !checked.contains(attribute) && slots.isNull(attribute) != "false"
      variables(ordinal) = ExprCode(
        if (nullable) JavaCode.isNullVariable(isNull) else FalseLiteral,
        JavaCode.variable(value, attribute.dataType)
      )
      Seq(s"${CodeGenerator.javaType(attribute.dataType)} $value" -> slots.value(attribute)) ++
        (if (nullable) Seq(s"boolean $isNull" -> slots.isNull(attribute)) else Nil)
    }
    ctx.currentVars = variables.toSeq
    ctx.INPUT_ROW = null
    val body = evaluation(ctx, conjunct.predicates.map(BindReferences.bindReference(_, tightened(checked))))
    ctx.currentVars = outer._1
    ctx.INPUT_ROW = outer._2
    val name = ctx.freshName("conjunct")
    val method = ctx.addNewFunction(
      name,
      s"""
         |private boolean $name(${parameters.map(_._1).mkString(", ")}) {
         |  $body
         |  return true;
         |}
       """.stripMargin
    )
    s"$method(${parameters.map(_._2).mkString(", ")})"
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
