package org.streamon.spark.equality

import scala.util.control.NonFatal

import org.apache.spark.SparkThrowable
import org.apache.spark.sql.DataFrame
import org.streamon.spark.RowText

/** What a query came to. */
sealed trait Outcome

object Outcome {

  /** Its rows as a multiset: as texts, sorted. */
  final case class Rows(rows: Seq[String]) extends Outcome {
    override def toString: String = s"${rows.size} rows"
  }

  /** Its error class. */
  final case class Raised(error: String) extends Outcome

  def of(frame: => DataFrame): Outcome =
    try Rows(frame.collect().map(RowText(_)).toSeq.sorted)
    catch { case NonFatal(e) => Raised(errorClass(e)) }

  /** The condition of the innermost error of Spark, and the class of its cause if that is no error of Spark.
    */
  def errorClass(error: Throwable): String = {
    val causes = Iterator.iterate(error)(_.getCause).takeWhile(_ != null).toSeq
    val conditions = causes.collect { case e: SparkThrowable if e.getCondition != null => e.getCondition }
    (conditions.lastOption.toSeq :+ causes.last.getClass.getSimpleName).distinct.mkString(" from ")
  }
}
