package org.streamon.spark.execution.selections

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen._
import org.apache.spark.sql.catalyst.expressions.codegen.Block.BlockHelper
import org.apache.spark.sql.catalyst.util.ArrayData
import org.apache.spark.sql.execution.CodegenSupport
import org.streamon.spark.execution.ColumnSlots
import org.streamon.spark.selections._

/** The generated code of [[MatchRulesExec]]. A column is read only where its construct is asked. One that is
  * computed from the row is computed at most once a row. See [[RuleMatcher]] for the loop.
  */
trait MatchCodegen extends CodegenSupport { self: MatchRulesExec =>

  // Columns are read when they are asked, not up front.
  override def usedInputs: AttributeSet = AttributeSet.empty

  override def inputRDDs(): Seq[RDD[InternalRow]] = child.asInstanceOf[CodegenSupport].inputRDDs()

  override protected def doProduce(ctx: CodegenContext): String =
    child.asInstanceOf[CodegenSupport].produce(ctx, this)

  override def doConsume(ctx: CodegenContext, input: Seq[ExprCode], row: ExprCode): String = {
    val runtime = ctx.addReferenceObj("matchRules", newRuntime())
    val matcher = ctx.addMutableState(
      classOf[RuleMatcher].getName,
      "matcher",
      v => s"$v = $runtime.newMatcher();",
      forceInline = true
    )
    val slots = new ColumnSlots(ctx, child.output, input, Nil, computed)
    val inputs = slots.outputVariables(child.output)
    ctx.currentVars = inputs
    val (column, region, names) = (ctx.freshName("column"), ctx.freshName("region"), ctx.freshName("names"))
    val cases = columns.zipWithIndex.map { case (e, k) =>
      s"""
         |case $k: {
         |  ${lookUp(ctx, matcher, e, k, region)}
         |  break;
         |}
       """.stripMargin
    }
    val array = classOf[ArrayData].getName
    val result = ExprCode(
      code"$array $names = $matcher.${if (hasNames) "names" else "numbers"}();",
      FalseLiteral,
      JavaCode.variable(names, matched.dataType)
    )
    val search =
      s"""
         |int $column = $matcher.begin();
         |while ($column >= 0) {
         |  int $region = 0;
         |  switch ($column) {
         |    ${cases.mkString("\n")}
         |  }
         |  $column = $matcher.ask($region);
         |}
         |if (!$matcher.isAlive()) continue;
         |${holds(ctx, matcher)}
       """.stripMargin
    // `do` lets a dropped row leave by `continue`.
    s"""
       |do {
       |  ${slots.declarations}
       |  ${if (keepsAll) kept(ctx, matcher, search) else search}
       |  ${metricTerm(ctx, "numOutputRows")}.add(1);
       |  ${consume(ctx, inputs :+ result)}
       |} while (false);
     """.stripMargin
  }

  /** The columns that are computed for what is asked here. */
  private def computed: AttributeSet = {
    val asked = AttributeSet((columns ++ read).flatMap(_.references))
    val found = ComputedColumns.of(child)
    AttributeSet(child.output.filter(a => asked.contains(a) && found.contains(a)).take(ColumnSlots.Most))
  }

  /** A row leaves the search alone. */
  private def kept(ctx: CodegenContext, matcher: String, search: String): String = {
    val holds = ctx.freshName("holds")
    s"""
       |boolean $holds = false;
       |do {
       |  $search
       |  $holds = true;
       |} while (false);
       |if (!$holds) $matcher.holdNone();
     """.stripMargin
  }

  private def lookUp(ctx: CodegenContext, matcher: String, e: Expression, k: Int, region: String): String = {
    val key = selections.keys(k)
    val lookupClass = RegionLookup.classFor(key)
    val lookup = ctx.addMutableState(
      lookupClass.getName,
      "lookup",
      v => s"$v = (${lookupClass.getName}) $matcher.lookups()[$k];",
      forceInline = true
    )
    val (filled, value) = over(ctx, Seq(e))(BindReferences.bindReference(e, child.output).genCode(ctx))
    val found = key match {
      case number: RegionKey.Number => s"$lookup.region(${number.code(value.value)})"
      case _: RegionKey.Value       => s"$lookup.region(${value.value})"
    }
    val code =
      s"""
         |$filled
         |${value.code}
         |$region = ${value.isNull} ? $lookup.ofNull() : $found;
       """.stripMargin
    if (selections.mayRaise(k)) withheld(ctx, code)(error => s"$region = $matcher.withhold($k, $error);")
    else code
  }

  private def withheld(ctx: CodegenContext, code: String)(keep: String => String): String = {
    val error = ctx.freshName("error")
    s"try {\n$code\n} catch (Throwable $error) {\n${keep(error)}\n}"
  }

  private def holds(ctx: CodegenContext, matcher: String): String =
    if (read.isEmpty) s"if (!$matcher.holds(null)) continue;"
    else {
      val row = ctx.freshName("residualRow")
      val filled = if (selections.wholes.nonEmpty) fillOrRaising(ctx, row) else fill(ctx, row)
      s"""
         |${classOf[InternalRow].getName} $row = null;
         |if ($matcher.readsRow()) {
         |  $filled
         |}
         |if (!$matcher.holds($row)) continue;
       """.stripMargin
    }

  /** Computes what residuals read of a row. */
  private def fill(ctx: CodegenContext, row: String): String = {
    val (filled, projected) = over(ctx, read) {
      GenerateUnsafeProjection.createCode(ctx, BindReferences.bindReferences(read, child.output))
    }
    s"""
       |$filled
       |${projected.code}
       |$row = ${projected.value};
     """.stripMargin
  }

  /** The same where the computation of a column may raise an error. */
  private def fillOrRaising(ctx: CodegenContext, row: String): String = {
    val kept = ctx.addMutableState(
      classOf[ReadRow].getName,
      "readRow",
      v => s"$v = new ${classOf[ReadRow].getName}(${read.size});",
      forceInline = true
    )
    val columns = read.zipWithIndex.map { case (e, k) =>
      val (filled, value) = over(ctx, Seq(e))(BindReferences.bindReference(e, child.output).genCode(ctx))
      val javaType = CodeGenerator.javaType(e.dataType)
      val boxed =
        if (CodeGenerator.isPrimitiveType(javaType))
          s"${CodeGenerator.boxedType(javaType)}.valueOf(${value.value})"
        else value.value.toString
      val code =
        s"""
           |$filled
           |${value.code}
           |if (${value.isNull}) $kept.setNullAt($k); else $kept.update($k, $boxed);
         """.stripMargin
      withheld(ctx, code)(error => s"$kept.raise($k, $error);")
    }
    s"""
       |${columns.mkString("\n")}
       |$row = $kept;
     """.stripMargin
  }

  /** Generates code over the input, and the code that must be ahead of it: that of the columns that it reads,
    * each once.
    */
  private def over(ctx: CodegenContext, read: Seq[Expression])(generate: => ExprCode): (String, ExprCode) = {
    val input = ctx.currentVars
    val references = AttributeSet(read.flatMap(_.references))
    val columns = input.zip(child.output.map(references.contains))
    ctx.currentVars = columns.map { case (code, isRead) =>
      if (isRead) code.copy(code = EmptyBlock) else code
    }
    val generated = generate
    ctx.currentVars = input
    (columns.collect { case (code, true) => code.code.toString }.mkString("\n"), generated)
  }
}
