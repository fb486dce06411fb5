package org.streamon.spark.execution

private[execution] object RowErrors {

  /** Errors that say nothing about the row. A stack overflow does: a regular expression may meet it on a long
    * text.
    */
  def isFatal(error: Throwable): Boolean = error match {
    case _: StackOverflowError                                             => false
    case _: VirtualMachineError | _: InterruptedException | _: ThreadDeath => true
    case _                                                                 => false
  }
}
