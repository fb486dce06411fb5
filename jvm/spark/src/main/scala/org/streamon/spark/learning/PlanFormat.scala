package org.streamon.spark.learning

import java.time.Instant

import org.json4s.{JArray, JDouble, JInt, JString, JValue}
import org.json4s.JsonDSL._
import org.json4s.jackson.JsonMethods.{parse, pretty, render}
import org.streamon.spark.metrics.Guard

/** The JSON format of a learned plan. It contains positions and counts, but no text of a query. Routes
  * contain names of columns, and values of them that tell kinds of rows apart.
  */
private[learning] object PlanFormat {
  val Version = 1

  /** A plan that was written by a StreaMon with another format. */
  final case class OtherVersion(found: String) extends Exception(s"version $found")

  def write(structure: Structure, plan: LearnedPlan): String = pretty(
    render(
      ("version" -> Version) ~
        ("operator" -> structure.kind) ~
        ("order" -> plan.order) ~
        ("guards" -> plan.guards.map(g => Seq[Long](g.first, g.second, g.met))) ~
        ("learned" -> plan.learned.toString) ~
        ("evaluations_per_row" -> plan.evaluations) ~
        ("evaluations_per_row_as_written" -> plan.asWritten) ~
        ("routes" -> plan.routes)
    )
  )

  /** @throws OtherVersion
    *   when it is not of this version
    * @throws java.lang.RuntimeException
    *   when it is no plan
    */
  def read(text: String): LearnedPlan = {
    val json = parse(text)
    json \ "version" match {
      case JInt(version) if version == Version => plan(json)
      case JInt(version)                       => throw OtherVersion(version.toString)
      case _ => throw new IllegalArgumentException("expected a plan with a version")
    }
  }

  private def plan(json: JValue): LearnedPlan = LearnedPlan(
    ints(json \ "order"),
    (json \ "guards") match {
      case JArray(pairs) => pairs.map(guard)
      case _             => bad("guards")
    },
    (json \ "learned") match {
      case JString(time) => Instant.parse(time)
      case _             => bad("learned")
    },
    number(json \ "evaluations_per_row").getOrElse(bad("evaluations")),
    number(json \ "evaluations_per_row_as_written"),
    (json \ "routes") match {
      case JString(routes) => Some(routes)
      case _               => None
    }
  )

  private def guard(json: JValue): Guard = json match {
    case JArray(List(JInt(first), JInt(second), JInt(met))) => Guard(first.toInt, second.toInt, met.toLong)
    case _                                                  => bad("guards")
  }

  private def ints(json: JValue): IndexedSeq[Int] = json match {
    case JArray(values) =>
      values.toIndexedSeq.map {
        case JInt(value) => value.toInt
        case _           => bad("positions")
      }
    case _ => bad("positions")
  }

  private def number(json: JValue): Option[Double] = json match {
    case JDouble(value) => Some(value)
    case JInt(value)    => Some(value.toDouble)
    case _              => None
  }

  private def bad(what: String): Nothing = throw new IllegalArgumentException(s"no plan: $what")
}
