package org.streamon.spark.execution.selections

import scala.util.control.NonFatal

/** Errors that are kept until it is known whether the conditions as they are written raise them. */
private[selections] object Withheld {

  /** The error, unless it must not wait. */
  def apply(error: Throwable): Throwable = error match {
    case NonFatal(e) => e
    case fatal       => throw fatal
  }
}
