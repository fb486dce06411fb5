package org.streamon.spark.execution.joins

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.{Exchange, ReusedExchangeExec, ShuffleExchangeExec}
import org.apache.spark.sql.streamon.SharedShuffle

/** Lets the exchanges below an MJoin share one shuffle, so that a micro-batch has two stages and not one more
  * than there are inputs. Each keeps its place in the plan, and its metrics.
  */
private[joins] object SharedExchange {

  /** The rows of an exchange, for MJoins that use it again. */
  private val Rows = TreeNodeTag[RDD[InternalRow]]("streamon.rows")

  /** By input, its rows. */
  def rowsOf(inputs: Seq[SparkPlan]): Seq[RDD[InternalRow]] = {
    val own = inputs.collect { case e: Exchange if e.getTagValue(Rows).isEmpty => e }
    val shared = own.flatMap(e => shuffle(e).map(e -> _))
    for {
      rows <- SharedShuffle.of(shared.map(_._2).toIndexedSeq)
      ((exchange, _), own) <- shared.zip(rows)
    } exchange.setTagValue(Rows, own)
    inputs.map {
      case reused: ReusedExchangeExec => known(reused.child)
      case exchange: Exchange         => known(exchange)
      case other                      => other.execute()
    }
  }

  private def known(exchange: Exchange): RDD[InternalRow] = {
    if (exchange.getTagValue(Rows).isEmpty) exchange.setTagValue(Rows, exchange.execute())
    exchange.getTagValue(Rows).get
  }

  private def shuffle(exchange: Exchange): Option[SharedShuffle.Input] = exchange match {
    case e: ShuffleExchangeExec   => Some(SharedShuffle.Input(e.shuffleDependency, e.output.size, e.metrics))
    case e: HypercubeExchangeExec => Some(SharedShuffle.Input(e.shuffle, e.output.size, e.metrics))
    case _                        => None
  }
}
