package org.streamon.spark.metrics

/** The orders that executors use. The tasks of an executor share one order. Its latest order is its vote,
  * weighted by the rows of its latest tasks.
  *
  * @param votes
  *   the executor with the latest report comes first
  */
private[metrics] final case class OrderVotes(votes: Vector[OrderVotes.Vote]) {
  import OrderVotes._

  /** That of most rows; of equals the one that was told last. None when nobody has told any. */
  def majority: Option[IndexedSeq[Int]] =
    votes.map(_.order).distinct.maxByOption(order => votes.filter(_.order == order).map(_.rows).sum)

  /** With what a task has told. All earlier rows count less by it: about half of them is forgotten once every
    * executor has told, so that executors that are gone soon count for nothing.
    */
  def and(task: FilterCounts): OrderVotes = {
    val kept = 1.0 - 0.5 / math.max(votes.size, 1)
    val earlier = votes.map(v => v.copy(rows = v.rows * kept))
    val (own, others) = earlier.partition(_.executor == task.executor)
    val order = task.order.toIndexedSeq
    // Equal orders are one object, so that there are not as many as executors.
    val shared = votes.find(_.order == order).fold(order)(_.order)
    val vote = Vote(task.executor, shared, own.map(_.rows).sum + task.inputRows)
    OrderVotes(vote +: others.sortBy(-_.rows).take(Most - 1))
  }

  /** What they take in memory, about. */
  def bytes: Long = votes.map(v => 60L + 2L * v.executor.length).sum +
    votes.map(_.order).distinct.map(60L + 20L * _.size).sum
}

private[metrics] object OrderVotes {

  /** Executors that are told apart. */
  private val Most = 32

  final case class Vote(executor: String, order: IndexedSeq[Int], rows: Double)

  val none: OrderVotes = OrderVotes(Vector.empty)
}
