package org.streamon.spark.execution.joins

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.exchange.{Exchange, ReusedExchangeExec, ShuffleExchangeExec}
import org.apache.spark.sql.streamon.{RunningPlan, SharedShuffle}

/** Lets the exchanges below an MJoin share one shuffle, so that a micro-batch has one stage for all of its
  * inputs. Each keeps its place in the plan, and its metrics.
  */
private[joins] object SharedExchange {

  /** The rows of an exchange, for MJoins that use it again. */
  private val Rows = TreeNodeTag[RDD[InternalRow]]("streamon.rows")

  /** By input, its rows. */
  def rowsOf(inputs: Seq[SparkPlan]): Seq[RDD[InternalRow]] = {
    for (plan <- RunningPlan.ofShuffles) share(inputs, usedElsewhere(plan))
    inputs.map {
      case reused: ReusedExchangeExec => known(reused.child)
      case exchange: Exchange         => known(exchange)
      case other                      => other.execute()
    }
  }

  private def share(inputs: Seq[SparkPlan], others: Seq[Exchange]): Unit = {
    val shuffles = inputs.collect { case e: Exchange if !others.exists(_ eq e) => e }.flatMap(shuffle)
    // Below one of them may be an MJoin that uses another again, and it has run by now.
    val own = shuffles.filter(_._1.getTagValue(Rows).isEmpty)
    for {
      all <- SharedShuffle.of(own.map(_._2).toIndexedSeq)
      ((exchange, _), rows) <- own.zip(all)
    } exchange.setTagValue(Rows, rows)
  }

  /** Exchanges that operators other than MJoins use again. They would be computed once more. */
  private def usedElsewhere(plan: SparkPlan): Seq[Exchange] = plan.collect {
    case _: MJoinExec => Nil
    case other        => other.children.collect { case reused: ReusedExchangeExec => reused.child }
  }.flatten

  private def known(exchange: Exchange): RDD[InternalRow] = {
    if (exchange.getTagValue(Rows).isEmpty) exchange.setTagValue(Rows, exchange.execute())
    exchange.getTagValue(Rows).get
  }

  private def shuffle(exchange: Exchange): Option[(Exchange, SharedShuffle.Input)] = {
    val dependency = exchange match {
      case e: ShuffleExchangeExec   => Some(e.shuffleDependency)
      case e: HypercubeExchangeExec => Some(e.shuffle)
      case _                        => None
    }
    dependency.map(d => exchange -> SharedShuffle.Input(d, exchange.output.size, exchange.metrics))
  }
}
