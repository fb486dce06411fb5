package org.streamon.spark.selections

import org.apache.spark.SparkContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.expressions.Expression

/** The rules of a call, on the driver. They are sent to the executors once, for all queries and micro-batches
  * of a plan, which build their constructs from them, and keep what they learn, as long as this exists.
  *
  * @param residuals
  *   conditions that constructs do not answer, by number
  * @param identity
  *   equal for equal rules: Spark finds plans with equal rules equal
  */
private[spark] final class SentSelections(
    @transient val selections: SharedSelections,
    @transient residuals: Seq[Expression],
    private val identity: Any
) extends Serializable {
  @transient private var sent = Option.empty[Broadcast[SharedSelections]]

  /** Those of the residuals that tasks report: all, or none. */
  @transient lazy val reported: ReportedParts =
    new ReportedParts("conditions", if (selections.hasReported) residuals else Nil)

  def broadcast(context: SparkContext): Broadcast[SharedSelections] = synchronized {
    sent.getOrElse {
      val made = context.broadcast(selections)
      sent = Some(made)
      made
    }
  }

  /** Executors need not keep them any more. */
  def release(): Unit = synchronized(sent.foreach(_.unpersist()))

  override def equals(other: Any): Boolean = other match {
    case that: SentSelections => identity == that.identity
    case _                    => false
  }
  override def hashCode: Int = identity.hashCode
  private val size = selections.names.size
  override def toString: String = s"$size rules"
}
