package org.apache.spark.sql.streamon

import org.apache.spark.{ShuffleDependency, TaskContext}
import org.apache.spark.rdd.{RDD, UnionRDD}
import org.apache.spark.scheduler.MapStatus
import org.apache.spark.shuffle.ShuffleWriteProcessor
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeRow
import org.apache.spark.sql.execution.{
  CoalescedPartitionSpec,
  ShufflePartitionSpec,
  ShuffledRowRDD,
  UnsafeRowSerializer
}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.util.MutablePair

/** One shuffle, and so one stage, instead of several. It has the partitions of all inputs, one input after
  * the other, so the rows of each input are still read separately. A map task has rows of one input only, and
  * counts for that input.
  */
object SharedShuffle {

  /** Map tasks of one shuffle. */
  val MostTasks = 64

  /** @param shuffle
    *   as it would be by itself; it does not run where it is shared
    * @param width
    *   columns of its rows
    * @param metrics
    *   of its exchange
    */
  final case class Input(
      shuffle: ShuffleDependency[Int, InternalRow, InternalRow],
      width: Int,
      metrics: Map[String, SQLMetric]
  ) {
    private[SharedShuffle] def partitions: Int = shuffle.partitioner.numPartitions

    /** The rows that map tasks write, its partitions being those from `first` on. */
    private[SharedShuffle] def written(first: Int): RDD[Product2[Int, InternalRow]] = {
      val size = metrics("dataSize")
      shuffle.rdd.mapPartitionsInternal { rows =>
        val placed = new MutablePair[Int, InternalRow]
        rows.map { row =>
          size.add(row._2.asInstanceOf[UnsafeRow].getSizeInBytes)
          placed.update(first + row._1, row._2)
        }
      }
    }

    /** The rows that it has in the shuffle of all. */
    private[SharedShuffle] def read(
        from: ShuffleDependency[Int, InternalRow, InternalRow],
        first: Int
    ): RDD[InternalRow] = {
      val columns = width
      val own = Array.tabulate[ShufflePartitionSpec](partitions) { p =>
        CoalescedPartitionSpec(first + p, first + p + 1)
      }
      new ShuffledRowRDD(from, metrics, own).mapPartitionsInternal { rows =>
        // Rows of all inputs are read with as many columns.
        val row = new UnsafeRow(columns)
        rows.map { read =>
          val bytes = read.asInstanceOf[UnsafeRow]
          row.pointTo(bytes.getBaseObject, bytes.getBaseOffset, bytes.getSizeInBytes)
          row
        }
      }
    }
  }

  /** By input, its shuffled rows; none where there is nothing to share, or it does not pay. Each map task is
    * sent what all inputs are, and tells the metrics of all. And there must be no more partitions than Spark
    * writes without a buffer in memory (`spark.shuffle.sort.bypassMergeThreshold`).
    */
  def of(inputs: IndexedSeq[Input]): Option[IndexedSeq[RDD[InternalRow]]] = {
    val starts = inputs.scanLeft(0)(_ + _.partitions)
    val tasks = inputs.map(_.shuffle.rdd.getNumPartitions).sum
    Option.when(inputs.size > 1 && tasks <= MostTasks && SparkInternals.writesThrough(starts.last)) {
      val shuffle = all(inputs, starts)
      inputs.zip(starts).map { case (input, first) => input.read(shuffle, first) }
    }
  }

  private def all(inputs: IndexedSeq[Input], starts: IndexedSeq[Int]) = {
    val shuffles = inputs.map(_.shuffle)
    val written = inputs.zip(starts).map { case (input, first) => input.written(first) }
    new ShuffleDependency[Int, InternalRow, InternalRow](
      new UnionRDD(written.head.context, written),
      SparkInternals.byPartition(starts.last),
      new UnsafeRowSerializer(inputs.head.width),
      shuffleWriterProcessor = new WriteProcessor(
        shuffles.map(_.shuffleWriterProcessor).toArray,
        shuffles.map(_.rdd.getNumPartitions).scanLeft(0)(_ + _).tail.toArray
      ),
      rowBasedChecksums = shuffles.flatMap(_.rowBasedChecksums).toArray,
      _checksumMismatchFullRetryEnabled = shuffles.exists(_.checksumMismatchFullRetryEnabled),
      checksumMismatchQueryLevelRollbackEnabled = shuffles.exists(_.checksumMismatchQueryLevelRollbackEnabled)
    )
  }

  /** Lets a map task write as the shuffle of its input does.
    *
    * @param ends
    *   by input, one past its last map task
    */
  private final class WriteProcessor(processors: Array[ShuffleWriteProcessor], ends: Array[Int])
      extends ShuffleWriteProcessor {
    override def write(
        rows: Iterator[_],
        shuffle: ShuffleDependency[_, _, _],
        mapId: Long,
        mapIndex: Int,
        task: TaskContext
    ): MapStatus = processors(ends.indexWhere(mapIndex < _)).write(rows, shuffle, mapId, mapIndex, task)
  }
}
