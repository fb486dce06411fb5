package org.streamon.spark.execution.joins

import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeSet}
import org.streamon.core.routes.{Attribute => RouteAttribute}
import org.streamon.spark.execution.state.JoinShape
import org.streamon.spark.learning.LearnedPlan
import org.streamon.spark.routes.{RouteColumn, RouteText, Routing}
import org.streamon.spark.settings.JoinSettings

/** How the rows of one input are sent on routes. The driver makes it.
  *
  * @param columns
  *   those of the input that trees may look at
  */
private[joins] final case class InputRouting(columns: IndexedSeq[RouteColumn], routing: Routing)

private[joins] object InputRouting {

  /** Inputs beyond which there are no routes: the samples of rows would take too much memory. */
  val MostInputs = 16

  /** The columns of an input that trees may look at: those of keys and conditions come first. */
  def columns(shape: JoinShape, input: Int): IndexedSeq[RouteColumn] = {
    val own: Seq[Attribute] = shape.inputs(input)
    val read = AttributeSet((shape.keys.flatMap(_(input)) ++ shape.spec.residuals).flatMap(_.references))
    RouteColumn.of(own, AttributeSet(own), read, RouteColumn.Most)
  }

  /** By input; none for a pipeline whose order is forced.
    *
    * @param learned
    *   by input, what other tasks have learned
    */
  def of(
      shape: JoinShape,
      settings: JoinSettings,
      learned: Map[Int, LearnedPlan]
  ): IndexedSeq[Option[InputRouting]] = {
    val size = shape.size - 1
    val columns = shape.inputs.indices.map(this.columns(shape, _))
    val attributes: IndexedSeq[IndexedSeq[RouteAttribute]] = columns.map(_.map(_.attribute))
    val forced = RouteText.forcedOfEach(settings.routes, attributes, size)
    shape.inputs.indices.map { i =>
      Option.when(forced(i).isDefined || settings.forced(shape.size).isEmpty) {
        val routes =
          learned.get(i).flatMap(_.routes).flatMap(RouteText.fitting(_, attributes(i), size))
        InputRouting(columns(i), Routing(attributes(i), settings.routes, routes, forced(i)))
      }
    }
  }
}
