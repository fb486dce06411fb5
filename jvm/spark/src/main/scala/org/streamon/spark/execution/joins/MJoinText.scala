package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.expressions.And
import org.apache.spark.sql.execution.{ExplainUtils, SparkPlan}

/** The text of an MJoin in EXPLAIN. */
private[joins] trait MJoinText extends SparkPlan { self: MJoinExec =>
  import spec.{keys, orders, residuals}

  override def nodeName: String = "MJoin"
  override protected def stringArgs: Iterator[Any] =
    Iterator(
      s"[$algorithm, caching $caching]",
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
    if (mayCache) settings.caching.mode.name else "off"

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
       |Algorithm : $algorithm
       |Caching : $caching
       |${constraints.fold("")(c =>
        s"Constraints : ${c.stripPrefix("constraints ")}\n"
      )}$routes""".stripMargin
  }

  /** What it begins with where rows of an input have several orders. */
  private def routes: String = {
    val lines = for {
      (input, i) <- routings.zipWithIndex
      routing <- input.map(_.routing).toSeq
      routes <- routing.forced.orElse(routing.learned).toSeq
      r <- routes.orders.indices
    } yield {
      val others = children.indices.filter(_ != i)
      ExplainUtils.generateFieldString(
        s"Route of input $i, ${routes.tree.words(r, routing.attributes)}",
        routes.orders(r).map(q => s"input ${others(q)}")
      ) + "\n"
    }
    lines.mkString
  }
}
