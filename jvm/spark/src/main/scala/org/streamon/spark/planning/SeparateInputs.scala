package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.expressions.{Alias, Attribute}
import org.apache.spark.sql.catalyst.optimizer.RemoveRedundantAliases
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, LogicalPlan, Project, Window}
import org.apache.spark.sql.types.MetadataBuilder

/** Keeps the columns of inputs that read one stream apart, such as two views of it. Their columns differ only
  * by aliases with the same names. Spark removes such aliases if the operator above is not one of its own
  * joins, also after joins have been collapsed. Then both inputs would have the same columns. Spark does not
  * remove an alias that has metadata of its own.
  */
private[planning] object SeparateInputs {
  private val Own = "streamon.input"

  def apply(inputs: Seq[LogicalPlan]): Seq[LogicalPlan] = {
    val sources = inputs.map(RemoveRedundantAliases(_).outputSet)
    inputs.zipWithIndex.map { case (input, i) =>
      val shares = inputs.indices.exists(j => j != i && sources(j).exists(sources(i).contains))
      if (shares) withOwnAliases(input) else input
    }
  }

  private def withOwnAliases(input: LogicalPlan): LogicalPlan = input.transformUp {
    case node @ (_: Project | _: Aggregate | _: Window) =>
      node.mapExpressions {
        case Redundant(alias) =>
          val own = new MetadataBuilder().withMetadata(alias.metadata).putBoolean(Own, true).build()
          Alias(alias.child, alias.name)(
            alias.exprId,
            alias.qualifier,
            Some(own),
            alias.nonInheritableMetadataKeys
          )
        case other => other
      }
  }

  private object Redundant {
    def unapply(alias: Alias): Option[Alias] = alias.child match {
      case column: Attribute if column.name == alias.name => Some(alias)
      case _                                              => None
    }
  }
}
