package org.streamon.spark.execution

import org.apache.spark.sql.catalyst.expressions.Attribute
import org.apache.spark.sql.catalyst.expressions.codegen.{CodeGenerator, CodegenContext}

/** What columns are called in one place of generated code. */
trait ColumnNames {

  /** An expression for the column's value. */
  def value(attribute: Attribute): String

  /** One for whether it is null; `false` when it cannot be. */
  def isNull(attribute: Attribute): String
}

/** Columns as the parameters of a generated method. */
final class ColumnParameters(ctx: CodegenContext, columns: Seq[Attribute], nullable: Attribute => Boolean)
    extends ColumnNames {

  private val names = columns.map { a =>
    a.exprId -> (ctx.freshName("value") -> Option.when(nullable(a))(ctx.freshName("isNull")))
  }.toMap

  def value(attribute: Attribute): String = names(attribute.exprId)._1

  def isNull(attribute: Attribute): String = names(attribute.exprId)._2.getOrElse("false")

  def declared: Seq[String] = inTurn { a =>
    (s"${CodeGenerator.javaType(a.dataType)} ${value(a)}", s"boolean ${isNull(a)}")
  }

  /** What is passed for them where the columns have other names. */
  def arguments(there: ColumnNames): Seq[String] = inTurn(a => (there.value(a), there.isNull(a)))

  private def inTurn(parts: Attribute => (String, String)): Seq[String] = columns.flatMap { a =>
    val (value, isNull) = parts(a)
    value +: Option.when(nullable(a))(isNull).toSeq
  }
}
