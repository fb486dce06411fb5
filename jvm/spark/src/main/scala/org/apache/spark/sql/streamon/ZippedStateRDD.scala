package org.apache.spark.sql.streamon

import org.apache.spark.{Partition, TaskContext}
import org.apache.spark.rdd.{RDD, ZippedPartitionsBaseRDD, ZippedPartitionsPartition}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.operators.stateful.StatefulOperatorStateInfo
import org.apache.spark.sql.execution.streaming.state.{StateStoreId, StateStoreProviderId}

/** Zips the partitions of n inputs, each on the executor where its state store is loaded. It is Spark's
  * `StateStoreAwareZipPartitionsRDD` for any number of inputs.
  */
final class ZippedStateRDD(
    @transient private val session: SparkSession,
    inputs: Seq[RDD[InternalRow]],
    stateInfo: StatefulOperatorStateInfo,
    private var join: (Int, IndexedSeq[Iterator[InternalRow]]) => Iterator[InternalRow]
) extends ZippedPartitionsBaseRDD[InternalRow](session.sparkContext, inputs) {

  override def getPreferredLocations(partition: Partition): Seq[String] =
    session.sessionState.streamingQueryManager.stateStoreCoordinator
      .getLocation(StateStoreProviderId(stateInfo, partition.index, StateStoreId.DEFAULT_STORE_NAME))
      .toSeq

  override def compute(split: Partition, task: TaskContext): Iterator[InternalRow] = {
    val partitions = split.asInstanceOf[ZippedPartitionsPartition].partitions
    join(
      split.index,
      rdds
        .zip(partitions)
        .map { case (rdd, p) => rdd.asInstanceOf[RDD[InternalRow]].iterator(p, task) }
        .toIndexedSeq
    )
  }

  override def clearDependencies(): Unit = {
    super.clearDependencies()
    join = null
  }
}
