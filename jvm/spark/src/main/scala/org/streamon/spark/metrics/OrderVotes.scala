package org.streamon.spark.metrics

/** The orders that executors use. The tasks of an executor share one order. Its latest order is its vote. */
private[metrics] final case class OrderVotes(votes: ByExecutor[IndexedSeq[Int]]) {
  private def orders = votes.told.map(_.what).distinct

  /** That of most rows; of equals the one that was told last. None when nobody has told any. */
  def majority: Option[IndexedSeq[Int]] =
    orders.maxByOption(order => votes.told.filter(_.what == order).map(_.rows).sum)

  /** With what a task has told. */
  def and(task: FilterCounts): OrderVotes = {
    val order = task.order.toIndexedSeq
    // Equal orders are one object, so that there are not as many as executors.
    val shared = votes.told.find(_.what == order).fold(order)(_.what)
    OrderVotes(votes.and(task.executor, task.inputRows)(_ => shared))
  }

  /** What they take in memory, about. */
  def bytes: Long = votes.told.map(v => 60L + 2L * v.executor.length).sum + orders.map(60L + 20L * _.size).sum
}

private[metrics] object OrderVotes {
  val none: OrderVotes = OrderVotes(ByExecutor.none)
}
