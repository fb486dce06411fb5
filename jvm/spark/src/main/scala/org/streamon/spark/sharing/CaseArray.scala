package org.streamon.spark.sharing

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.Literal.{FalseLiteral, TrueLiteral}
import org.apache.spark.sql.types.{DataType, StringType}
import org.apache.spark.unsafe.types.UTF8String
import org.streamon.spark.selections.SameExpression

/** An array of the names of conditions that hold, as people write it.
  *
  * @param cases
  *   conditions and their names, in the order of the array
  */
private[sharing] final case class CaseArray(cases: Seq[(String, Expression)], dataType: DataType) {

  /** Equal for arrays that are the same. Each has variables of its own in its lambda function. */
  lazy val key: Any =
    (dataType, cases.map { case (name, condition) => (name, SameExpression.key(condition)) })
}

private[sharing] object CaseArray {

  /** `filter(array(CASE WHEN a THEN 'a' END, ...), r -> r IS NOT NULL)`, which `array_compact` is too, and
    * `array_remove(array(CASE WHEN a THEN 'a' ELSE '' END, ...), '')`.
    */
  def unapply(e: Expression): Option[CaseArray] = e match {
    case ArrayFilter(CreateArray(elements, _), LambdaFunction(IsNotNull(r), Seq(variable), _))
        if r.semanticEquals(variable) =>
      of(elements, None, e.dataType)
    case ArrayRemove(CreateArray(elements, _), Text(removed)) => of(elements, Some(removed), e.dataType)
    case _                                                    => None
  }

  /** @param removed
    *   the element that is left out; none for null
    */
  private def of(
      elements: Seq[Expression],
      removed: Option[String],
      dataType: DataType
  ): Option[CaseArray] = {
    val cases = elements.map(caseOf(_, removed))
    Option.when(cases.nonEmpty && cases.forall(_.isDefined))(CaseArray(cases.flatten, dataType))
  }

  private def caseOf(element: Expression, removed: Option[String]): Option[(String, Expression)] = {
    def isRemoved(e: Expression) = e match {
      case Literal(null, _) => removed.isEmpty
      case Text(text)       => removed.contains(text)
      case _                => false
    }
    element match {
      case e if isRemoved(e)                                       => Some("" -> FalseLiteral)
      case Text(name)                                              => Some(name -> TrueLiteral)
      case If(c, Text(name), other) if isRemoved(other)            => kept(name, c, removed)
      case CaseWhen(Seq((c, Text(name))), None) if removed.isEmpty => Some(name -> c)
      case CaseWhen(Seq((c, Text(name))), Some(e)) if isRemoved(e) => kept(name, c, removed)
      case _                                                       => None
    }
  }

  private def kept(name: String, condition: Expression, removed: Option[String]) =
    Some(name -> (if (removed.contains(name)) FalseLiteral else condition))

  private object Text {

    /** A text without a collation. */
    def unapply(e: Expression): Option[String] = e match {
      case Literal(text: UTF8String, StringType) => Some(text.toString)
      case _                                     => None
    }
  }
}
