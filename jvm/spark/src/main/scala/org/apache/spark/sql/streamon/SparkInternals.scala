package org.apache.spark.sql.streamon

import scala.util.Try

import org.apache.spark.{PartitionIdPassthrough, Partitioner, SparkContext, SparkEnv}
import org.apache.spark.internal.config.SHUFFLE_SORT_BYPASS_MERGE_THRESHOLD
import org.apache.spark.scheduler.SparkListener
import org.apache.spark.shuffle.ShuffleManager
import org.apache.spark.shuffle.sort.SortShuffleManager
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.optimizer.NormalizeFloatingNumbers
import org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider
import org.apache.spark.sql.streaming.StateOperatorProgress
import org.apache.spark.sql.types.{DataType, DoubleType, FloatType, MapType, VariantType}
import org.apache.spark.util.{CompletionIterator, Utils}

/** Access to private functions of Spark. */
object SparkInternals {

  /** The key with one NaN and one zero, so that equal numbers have equal bytes, as Spark's join keys have. */
  def normalizeFloats(key: Expression): Expression = NormalizeFloatingNumbers.normalize(key)

  /** Whether a type has floating-point numbers in it. */
  def hasFloats(of: DataType): Boolean = of.existsRecursively {
    case FloatType | DoubleType => true
    case _                      => false
  }

  /** Whether Spark's hash functions take values of a type. */
  def hashes(of: DataType): Boolean = !of.existsRecursively {
    case _: MapType | _: VariantType => true
    case _                           => false
  }

  /** Whether a state store provider has column families and scans of ranges. */
  def hasColumnFamilies(provider: String): Boolean =
    Try(
      classOf[RocksDBStateStoreProvider].isAssignableFrom(
        Utils.classForName[AnyRef](provider, initialize = false)
      )
    )
      .getOrElse(false)

  /** A stateful operator's progress under another name. */
  def named(name: String, p: StateOperatorProgress): StateOperatorProgress = new StateOperatorProgress(
    name,
    p.numRowsTotal,
    p.numRowsUpdated,
    p.allUpdatesTimeMs,
    p.numRowsRemoved,
    p.allRemovalsTimeMs,
    p.commitTimeMs,
    p.memoryUsedBytes,
    p.numRowsDroppedByWatermark,
    p.numShufflePartitions,
    p.numStateStoreInstances,
    p.customMetrics
  )

  /** Whether a shuffle to so many partitions writes each row at once. */
  def writesThrough(partitions: Int): Boolean =
    !shuffleKeepsRows(partitions) && partitions <= SparkEnv.get.conf.get(SHUFFLE_SORT_BYPASS_MERGE_THRESHOLD)

  /** Whether a shuffle to so many partitions keeps the rows that it is given, so that each must be a copy. */
  def shuffleKeepsRows(partitions: Int): Boolean =
    ShuffleManager.getShuffleManagerClassName(SparkEnv.get.conf) != classOf[SortShuffleManager].getName ||
      partitions > SortShuffleManager.MAX_SHUFFLE_OUTPUT_PARTITIONS_FOR_SERIALIZED_MODE

  /** Sends each row to the partition that is its key. */
  def byPartition(partitions: Int): Partitioner = new PartitionIdPassthrough(partitions)

  /** The rows, and something to do once there are no more. */
  def thenDo[A](rows: Iterator[A])(atEnd: => Unit): Iterator[A] =
    CompletionIterator[A, Iterator[A]](rows, atEnd)

  /** Lets a listener hear of all events, in a thread of its own: it may take long. */
  def listen(context: SparkContext, listener: SparkListener): Unit =
    context.listenerBus.addToQueue(listener, "streamon")
}
