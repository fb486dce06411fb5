package org.streamon.spark.execution.selections

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen._

/** Some conditions over one row. */
abstract class ConditionGroup {

  /** Whether a condition is true of the row; null counts as false. */
  def isTrue(condition: Int, row: InternalRow): Boolean
}

private[selections] object ConditionGroup
    extends CodeGeneratorWithInterpretedFallback[IndexedSeq[Expression], ConditionGroup] {
  override protected def createCodeGeneratedObject(conditions: IndexedSeq[Expression]): ConditionGroup =
    GenerateConditions.generate(conditions)

  override protected def createInterpretedObject(conditions: IndexedSeq[Expression]): ConditionGroup =
    new InterpretedConditions(conditions)
}

private[selections] final class InterpretedConditions(conditions: IndexedSeq[Expression])
    extends ConditionGroup {
  private val predicates = conditions.map { c =>
    val predicate = InterpretedPredicate(c)
    predicate.initialize(0)
    predicate
  }.toArray

  override def isTrue(condition: Int, row: InternalRow): Boolean = predicates(condition).eval(row)
}

/** Generates one class for several conditions, with a method for each. */
private object GenerateConditions extends CodeGenerator[IndexedSeq[Expression], ConditionGroup] {
  override protected def canonicalize(conditions: IndexedSeq[Expression]): IndexedSeq[Expression] =
    conditions.map(ExpressionCanonicalizer.execute(_))

  override protected def bind(
      conditions: IndexedSeq[Expression],
      row: Seq[Attribute]
  ): IndexedSeq[Expression] = conditions.map(BindReferences.bindReference(_, row))

  override protected def create(conditions: IndexedSeq[Expression]): ConditionGroup = {
    val ctx = newCodeGenContext()
    val rowClass = classOf[InternalRow].getName
    val cases = conditions.zipWithIndex.map { case (condition, k) =>
      val name = ctx.freshName("condition")
      val evaluated = condition.genCode(ctx)
      val method = ctx.addNewFunction(
        name,
        s"""
           |private boolean $name($rowClass ${ctx.INPUT_ROW}) {
           |  ${evaluated.code}
           |  return !${evaluated.isNull} && ${evaluated.value};
           |}
         """.stripMargin
      )
      s"case $k: return $method(${ctx.INPUT_ROW});"
    }
    val body = s"""
      public SpecificConditions generate(Object[] references) {
        return new SpecificConditions(references);
      }

      class SpecificConditions extends ${classOf[ConditionGroup].getName} {
        private final Object[] references;
        ${ctx.declareMutableStates()}

        public SpecificConditions(Object[] references) {
          this.references = references;
          int partitionIndex = 0;
          ${ctx.initMutableStates()}
          ${ctx.initPartition()}
        }

        public boolean isTrue(int condition, $rowClass ${ctx.INPUT_ROW}) {
          switch (condition) {
            ${cases.mkString("\n")}
            default: throw new IllegalArgumentException("condition " + condition);
          }
        }

        ${ctx.declareAddedFunctions()}
      }
    """
    val code =
      CodeFormatter.stripOverlappingComments(new CodeAndComment(body, ctx.getPlaceHolderToComments()))
    val (compiled, _) = CodeGenerator.compile(code)
    compiled.generate(ctx.references.toArray).asInstanceOf[ConditionGroup]
  }
}
