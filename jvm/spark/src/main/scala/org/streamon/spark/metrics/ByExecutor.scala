package org.streamon.spark.metrics

/** What each executor has told last, weighted by the rows of its latest tasks.
  *
  * @param told
  *   the executor with the latest report comes first
  */
private[metrics] final case class ByExecutor[T](told: Vector[ByExecutor.Told[T]]) {
  import ByExecutor._

  /** With what a task has told. All earlier rows count less by it: about half of them is forgotten once every
    * executor has told, so that executors that are gone soon count for nothing.
    *
    * @param rows
    *   of the task
    * @param tell
    *   by what its executor has told before
    */
  def and(executor: String, rows: Long)(tell: Option[T] => T): ByExecutor[T] = {
    val kept = 1.0 - 0.5 / math.max(told.size, 1)
    val (own, others) = told.map(t => t.copy(rows = t.rows * kept)).partition(_.executor == executor)
    val latest = Told(executor, tell(own.headOption.map(_.what)), own.map(_.rows).sum + rows)
    ByExecutor(latest +: others.sortBy(-_.rows).take(Most - 1))
  }
}

private[metrics] object ByExecutor {

  /** Executors that are told apart. */
  private val Most = 32

  final case class Told[T](executor: String, what: T, rows: Double)

  def none[T]: ByExecutor[T] = ByExecutor(Vector.empty)
}
