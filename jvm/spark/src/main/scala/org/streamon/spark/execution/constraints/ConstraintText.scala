package org.streamon.spark.execution.constraints

import org.streamon.core.constraints.MonitoredConstraint
import org.streamon.spark.execution.state.JoinShape

/** The text of a constraint, for users. */
object ConstraintText {
  def apply(constraint: MonitoredConstraint, shape: JoinShape): String = {
    import constraint.{dimension, kind, of, parent}
    val key = shape.keys(dimension)(of).map(JoinShape.inColumns).mkString(", ")
    def called(input: Int) = shape.nameOf(input, dimension).getOrElse(s"input $input")
    s"$kind ${parent.fold("")(p => s"${called(p)} -> ")}${called(of)} on $key"
  }
}
