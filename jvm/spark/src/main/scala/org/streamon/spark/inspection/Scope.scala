package org.streamon.spark.inspection

import org.apache.spark.sql.catalyst.expressions.{Expression, FunctionTableSubqueryArgumentExpression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.streamon.{QueryName, SessionOfUser, SessionOwner}
import org.streamon.spark.errors.TableFunctionError
import org.streamon.spark.util.TableFunction
import org.streamon.spark.util.TableFunction.Text

/** The queries that a table function reports, by its argument. */
private[inspection] sealed trait Scope {

  /** Those that the session may see, the latest last. */
  def queries(session: SparkSession): Seq[LoggedQuery]

  /** Whether it has the query of this name. */
  def names(session: SparkSession): String => Boolean = queries(session).map(_.query).toSet
}

private[inspection] object Scope {

  /** All queries that were started in the session. */
  case object OfSession extends Scope {
    override def queries(session: SparkSession): Seq[LoggedQuery] =
      logged(session)(_.session == SessionOfUser.id(session))

    // An action on an RDD is no execution of SQL, and belongs to nobody.
    override def names(session: SparkSession): String => Boolean = {
      val known = super.names(session)
      query => query == QueryName.Nameless || known(query)
    }
  }

  /** One query, in whichever session it was started. */
  final case class OfQuery(id: String) extends Scope {
    override def queries(session: SparkSession): Seq[LoggedQuery] = {
      val owner = SessionOwner.of(session)
      logged(session)(of => of.query == id && of.owner == owner)
    }

    // The counts of its tasks stay when it is out of the log.
    override def names(session: SparkSession): String => Boolean = _ == id
  }

  /** The queries of the session that have executed a plan, by itself or as a part of another. */
  final case class OfPlan(analyzed: LogicalPlan) extends Scope {
    override def queries(session: SparkSession): Seq[LoggedQuery] = {
      val hash = LoggedQuery.hash(analyzed)
      OfSession.queries(session).filter(_.plans(hash))
    }
  }

  /** @throws TableFunctionError
    *   for any other arguments than none, the id of a query, or a table
    */
  def of(function: String, arguments: Seq[Expression]): Scope = arguments match {
    case Seq()                                               => OfSession
    case Seq(Text(id))                                       => OfQuery(id)
    case Seq(table: FunctionTableSubqueryArgumentExpression) => OfPlan(table.plan)
    case others => throw TableFunctionError.badArguments(function, others.map(TableFunction.shown))
  }

  private def logged(session: SparkSession)(condition: LoggedQuery => Boolean) =
    QueryLog.of(session.sparkContext).find(session.sparkContext)(condition)
}
