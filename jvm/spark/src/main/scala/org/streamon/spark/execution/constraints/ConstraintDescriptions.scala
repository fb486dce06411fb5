package org.streamon.spark.execution.constraints

import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression}
import org.streamon.core.constraints.{JoinConstraint, MonitoredConstraint}
import org.streamon.spark.execution.state.JoinShape
import org.streamon.spark.metrics.{ConstraintDescription, ConstraintHint, ConstraintTexts}
import org.streamon.spark.settings.ConstraintSettings

/** The texts of the constraints of a join, for users. */
object ConstraintDescriptions {

  /** @param owner
    *   who may see them
    * @param operator
    *   the name of the MJoin within its query
    * @param sharesKeys
    *   whether rows with one key are in several partitions
    */
  def of(
      owner: Option[String],
      operator: String,
      shape: JoinShape,
      declared: Seq[JoinConstraint],
      settings: ConstraintSettings,
      sharesKeys: Boolean
  ): ConstraintTexts = ConstraintTexts(
    owner,
    operator,
    settings.mode.name,
    settings.retention,
    sharesKeys,
    shape.inputs.indices.map(shape.nameOf),
    MonitoredConstraint.all(shape.joinKeys, declared, settings.forCore).map { c =>
      ConstraintDescription(
        ConstraintText(c, shape),
        c.kind,
        c.of,
        c.parent,
        c.declared.nonEmpty,
        hint(shape, c)
      )
    }
  )

  private def hint(shape: JoinShape, constraint: MonitoredConstraint): Option[ConstraintHint] = for {
    own <- shape.nameOf(constraint.of, constraint.dimension)
    key <- columns(shape.keys(constraint.dimension)(constraint.of))
    hint <- constraint match {
      case _: MonitoredConstraint.Unique =>
        Some(ConstraintHint(s"UNIQUE($own, ${key.mkString(", ")})", hasK = false))
      case r: MonitoredConstraint.Rids =>
        shape.nameOf(r.parent.get, r.dimension).map(declared("RIDS", _, own))
      case c: MonitoredConstraint.Clustered =>
        other(shape, c).flatMap(shape.nameOf(_, c.dimension)).map(declared("CA", own, _))
      case o: MonitoredConstraint.Ordered =>
        other(shape, o).flatMap(shape.nameOf(_, o.dimension)).map(declared("OAP", own, _))
    }
  } yield hint

  private def declared(kind: String, parent: String, child: String) =
    ConstraintHint(s"K_CONSTRAINT('$kind', $parent, $child, ", hasK = true)

  private def other(shape: JoinShape, constraint: MonitoredConstraint): Option[Int] =
    (0 until shape.size).find(i => i != constraint.of && shape.holds(i, constraint.dimension))

  private def columns(key: Seq[Expression]): Option[Seq[String]] = {
    val names = key.collect { case a: Attribute => a.name }
    Option.when(names.size == key.size)(names)
  }
}
