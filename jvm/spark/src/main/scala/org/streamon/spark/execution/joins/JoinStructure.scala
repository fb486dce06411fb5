package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Expression}
import org.streamon.spark.execution.state.JoinShape
import org.streamon.spark.learning.Structure

/** The structure that identifies the pipeline of an input: keys, conditions and windows. Columns are named by
  * the number of their input, independent of its alias.
  */
private[joins] object JoinStructure {
  def apply(shape: JoinShape, input: Int): Structure = {
    def typed(e: Expression) = {
      val numbered = e.transform { case a: AttributeReference =>
        a.withQualifier(Seq(shape.inputs.indexWhere(_.exists(_.exprId == a.exprId)).toString))
      }
      (numbered.sql +: e.references.toSeq.map(_.dataType.sql)).mkString(" ")
    }
    val keys = shape.keys.zip(shape.spec.nullSafe).map { case (own, nullSafe) =>
      own.map(_.map(typed).mkString(", ")).mkString(" = ") + nullSafe.mkString(" ", ", ", "")
    }
    val windows = shape.spec.orders.map(_.window.fold("")(_.sql))
    Structure("pipeline", Seq(input.toString) ++ keys ++ shape.spec.residuals.map(typed) ++ windows)
  }
}
