package org.streamon.spark.execution

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen._
import org.apache.spark.sql.catalyst.expressions.codegen.Block.BlockHelper

/** The columns that conjuncts, or look-ups of rules, read, as local variables that are filled when first
  * needed, at most once a row.
  *
  * @param attributes
  *   the columns of the input
  * @param input
  *   how the input computes each; code that is still to be emitted is emitted into the place of use
  * @param uses
  *   what each conjunct reads
  * @param early
  *   what may be read ahead of all conjuncts
  */
final class ColumnSlots(
    ctx: CodegenContext,
    attributes: Seq[Attribute],
    input: Seq[ExprCode],
    uses: Seq[AttributeSet],
    early: AttributeSet
) extends ColumnNames {

  private val read = AttributeSet.fromAttributeSets(uses)
  private val slots = attributes.zip(input).zipWithIndex.collect {
    case ((attribute, code), ordinal) if early.contains(attribute) || read.contains(attribute) =>
      new Slot(ctx, ordinal, attribute, code)
  }
  private val pending = slots.filter(_.pending)
  private val loaded = ctx.freshName("loaded")

  /** Declares the variables, empty. */
  def declarations: String = {
    val variables = pending.map { s =>
      val dataType = s.attribute.dataType
      s"${CodeGenerator.javaType(dataType)} ${s.value} = ${CodeGenerator.defaultValue(dataType)};" +
        (if (s.nullable) s"boolean ${s.isNull} = true;" else "")
    }
    (s"long $loaded = 0L;" +: variables).mkString("\n")
  }

  /** The columns that are to be filled, a bit each. */
  def bits(columns: AttributeSet): Long =
    pending.zipWithIndex.collect { case (s, bit) if columns.contains(s.attribute) => 1L << bit }.sum

  /** Fills columns of which it is known that none is filled, unless it was read early. */
  def fill(columns: Long): String =
    if (columns == 0L) ""
    else {
      val fills = chosen(columns).map { case (s, bit) =>
        if (early.contains(s.attribute)) unlessFilled(bit)(s.fill) else s.fill
      }
      s"${fills.mkString("\n")}\n$loaded |= ${columns}L;"
    }

  /** Fills a column unless it is filled. */
  def fillEarly(attribute: Attribute): String = chosen(bits(AttributeSet(attribute))).map { case (s, bit) =>
    unlessFilled(bit)(s"${s.fill}\n$loaded |= ${bit}L;")
  }.mkString

  private def unlessFilled(bit: Long)(code: String) = s"if (($loaded & ${bit}L) == 0L) {\n$code\n}"

  /** Fills those columns of a set, which is known at run time, that are not filled yet. */
  def fillMissing(columns: String): String =
    if (pending.isEmpty) ""
    else {
      val missing = ctx.freshName("missing")
      val fills = chosen(bits(read)).map { case (s, bit) =>
        s"if (($missing & ${bit}L) != 0L) {\n${s.fill}\n$loaded |= ${bit}L;\n}"
      }
      s"long $missing = $columns & ~$loaded;\nif ($missing != 0L) {\n${fills.mkString("\n")}\n}"
    }

  def value(attribute: Attribute): String = slot(attribute).value

  def isNull(attribute: Attribute): String = slot(attribute).isNull

  /** The input for the operator above. A row that passes has been through every conjunct, so every slot is
    * filled that one of them reads.
    *
    * @param output
    *   the columns as the filter hands them on: those it proves not null are not nullable
    */
  def outputVariables(output: Seq[Attribute]): Seq[ExprCode] = {
    val bySlot = slots.map(s => s.ordinal -> s).toMap
    input.zipWithIndex.map { case (code, ordinal) =>
      bySlot.get(ordinal).fold(code) { s =>
        val isNull =
          if (!s.nullable || !output(ordinal).nullable) FalseLiteral else JavaCode.isNullVariable(s.isNull)
        if (s.pending) {
          val last = if (read.contains(s.attribute)) EmptyBlock else code"${fillEarly(s.attribute)}"
          ExprCode(last, isNull, JavaCode.variable(s.value, s.attribute.dataType))
        } else ExprCode(EmptyBlock, isNull, code.value)
      }
    }
  }

  private def slot(attribute: Attribute): Slot = slots.find(_.attribute.exprId == attribute.exprId).get

  private def chosen(columns: Long): Seq[(Slot, Long)] =
    pending.zipWithIndex.collect { case (s, bit) if (columns >>> bit & 1L) != 0L => s -> (1L << bit) }
}

private[execution] object ColumnSlots {

  /** Columns that there can be, since each has a bit. */
  val Most = 64
}

/** One column: where its value and its null flag are, and the code that is still to fill them, if any. */
private final class Slot(
    ctx: CodegenContext,
    val ordinal: Int,
    val attribute: Attribute,
    val code: ExprCode
) {
  val pending: Boolean = code.code.nonEmpty
  val nullable: Boolean = code.isNull != FalseLiteral
  val value: String = if (pending) ctx.freshName("column") else code.value.toString
  val isNull: String =
    if (!nullable) "false" else if (pending) ctx.freshName("columnIsNull") else code.isNull.toString

  /** Code that fills it. */
  def fill: String =
    s"""
       |${code.code}
       |$value = ${code.value};
       |${if (nullable) s"$isNull = ${code.isNull};" else ""}
     """.stripMargin
}
