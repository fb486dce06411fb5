package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.expressions.And
import org.apache.spark.sql.execution.{ExplainUtils, SparkPlan}
import org.streamon.spark.execution.state.MirrorCaches

/** The text of an MJoin in EXPLAIN. */
private[joins] trait MJoinText extends SparkPlan { self: MJoinExec =>
  import spec.{keys, orders, residuals}

  override def nodeName: String = "MJoin"
  override protected def stringArgs: Iterator[Any] =
    Iterator(
      s"[${settings.algorithm}, caching ${caching}]",
      keys.indices.map(equal).mkString("; ")
    ) ++ windows ++ constraints ++
      residuals.reduceOption(And(_, _))

  private def windows: Option[String] = Option.when(orders.nonEmpty) {
    orders.indices.flatMap(i => orders(i).window.map(w => s"input $i $w")).mkString("windows [", ", ", "]")
  }

  /** What is done with constraints, and which are declared. */
  private def constraints: Option[String] =
    Option.when(watches) {
      (settings.constraints.mode.name +: spec.declared.map(d =>
        d.shown(keys(d.dimension)(_).mkString("[", ", ", "]"))
      ))
        .mkString("constraints [", ", ", "]")
    }

  /** Which caches there may be. */
  private def caching: String =
    if (!evicts && MirrorCaches.canPay(shape, settings.caching)) settings.caching.mode.name else "off"

  private def equal(dimension: Int): String = {
    val own = keys(dimension)
    if (shape.isConstant(dimension))
      own.indices.filter(own(_).nonEmpty).mkString("inputs ", ", ", " compared")
    else own.filter(_.nonEmpty).map(_.mkString("[", ", ", "]")).mkString(" = ")
  }

  override def verboseStringWithOperatorId(): String = {
    val inputs = children.indices.map { i =>
      s"${ExplainUtils.generateFieldString(s"Input $i", children(i).output)}\n" +
        ExplainUtils.generateFieldString(
          s"Keys $i",
          keys.indices.filterNot(shape.isConstant).flatMap(keys(_)(i))
        ) +
        orders.lift(i).flatMap(_.window).fold("")(w => s"\nWindow $i : $w")
    }
    s"""$formattedNodeName
       |${inputs.mkString("\n")}
       |${ExplainUtils.generateFieldString("Conditions", residuals)}
       |Algorithm : ${settings.algorithm}
       |Caching : $caching
       |${constraints.fold("")(c => s"Constraints : ${c.stripPrefix("constraints ")}\n")}""".stripMargin
  }
}
