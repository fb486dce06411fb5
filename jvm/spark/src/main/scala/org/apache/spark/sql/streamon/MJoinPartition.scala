package org.apache.spark.sql.streamon

import java.util.SplittableRandom
import java.util.concurrent.ThreadLocalRandom
import java.util.concurrent.TimeUnit.NANOSECONDS

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.types.{NullType, StructType}
import org.apache.spark.unsafe.Platform
import org.apache.spark.util.CompletionIterator
import org.streamon.core.filters.DropProfiling
import org.streamon.core.joins.PipelineExecutor
import org.streamon.spark.execution.joins._

/** One partition of an MJoin in one micro-batch: the task's frame around [[JoinTask]]. */
private[streamon] final class MJoinPartition(join: MJoinExec, partition: Int) {
  private val info = join.getStateInfo
  private val shape = join.shape
  private val n = shape.size

  def join(rows: IndexedSeq[Iterator[InternalRow]]): Iterator[InternalRow] = {
    val begin = System.nanoTime
    val store = open()
    val durable = new JoinStateStore(store, n)
    val header = durable.header
    header.foreach { h =>
      if (h.partition != partition || h.partitions != info.numPartitions)
        throw CheckpointError.otherPartitions(partition, info.numPartitions, h.partition, h.partitions)
    }
    val key = MirrorRegistry.Key(info.checkpointLocation, info.operatorId, partition)
    val mirror =
      MirrorRegistry.take(key, header.fold(StateHeader.Fresh)(_.stamp), shape.bounds.expiring).getOrElse {
        header.foreach(_ => join.metric(MJoinMetrics.Rebuilt) += 1)
        rebuilt(durable, header)
      }
    val residuals = shape.residuals
    val inputs = new JoinedInputs(
      mirror,
      shape.inputs.map(_.size).toArray,
      residuals.predicates(partition),
      residuals.reads
    )
    val executors = pipelines(inputs)
    val task = new JoinTask(
      shape,
      rows.indices.map(i => join.withoutLate(rows(i), i)),
      shape.keys.indices.map(i => UnsafeProjection.create(shape.keys(i), shape.inputs(i))).toArray,
      residuals.filters(partition),
      executors,
      inputs,
      mirror,
      durable,
      shape.bounds.at(join.eventTimeWatermarkForEviction)
    )
    val project = UnsafeProjection.create(join.output, join.output)
    val outputRows = join.metric("numOutputRows")
    val results = task.map { row =>
      outputRows += 1
      project(row): InternalRow
    }
    CompletionIterator[InternalRow, Iterator[InternalRow]](
      results, {
        join.metric("allUpdatesTimeMs") += NANOSECONDS.toMillis(System.nanoTime - begin)
        join.metric("allRemovalsTimeMs") += millis(task.expire())
        join.metric("commitTimeMs") += millis(commit(store, durable, task, mirror))
        MirrorRegistry.put(key, mirror)
        report(store, task, mirror, executors)
      }
    )
  }

  private def open(): StateStore = {
    val nothing = new StructType().add("__dummy__", NullType)
    val store = StateStore.get(
      StateStoreProviderId(info, partition, StateStoreId.DEFAULT_STORE_NAME),
      nothing,
      nothing,
      NoPrefixKeyStateEncoderSpec(nothing),
      info.storeVersion,
      info.getStateStoreCkptId(partition).map(_.head),
      None,
      useColumnFamilies = true,
      join.storeConf,
      join.hadoopConf.value.value
    )
    TaskContext.get().addTaskCompletionListener[Unit](_ => if (!store.hasCommitted) store.abort())
    JoinStateSchema.all(shape.inputs).values.toSeq.sortBy(_.colFamilyName).foreach { family =>
      store.createColFamilyIfAbsent(
        family.colFamilyName,
        family.keySchema,
        family.valueSchema,
        family.keyStateEncoderSpec.get,
        isInternal = family.colFamilyName == JoinStateSchema.HeaderFamily
      )
    }
    store
  }

  private def rebuilt(store: DurableRows, header: Option[StateHeader]): Mirror = {
    val mirror = new Mirror(shape.bounds.expiring)
    for (h <- header) {
      for (i <- 0 until n if h.rows(i) > 0) {
        val keyOf = UnsafeProjection.create(shape.keys(i), shape.inputs(i))
        store.foreach(i) { (time, sequence, row) =>
          val bytes = new Array[Byte](row.getSizeInBytes)
          row.writeToMemory(bytes, Platform.BYTE_ARRAY_OFFSET)
          val key = keyOf(row)
          val known = mirror.find(key)
          mirror.append(if (known == null) mirror.create(key) else known, i, bytes, time, sequence)
        }
      }
      mirror.sequence = h.sequence
      mirror.stamp = h.stamp
    }
    mirror
  }

  private def pipelines(inputs: JoinedInputs): Array[PipelineExecutor] = {
    val orders =
      OrderRegistry.orders(OrderRegistry.Key(info.checkpointLocation, info.operatorId), shape, join.settings)
    val random = new SplittableRandom()
    Array.tabulate(n) { i =>
      val profiling = new DropProfiling(random, join.settings.profilingProbability)
      new PipelineExecutor(orders(i), inputs, profiling, () => System.nanoTime)
    }
  }

  private def commit(store: StateStore, durable: DurableRows, task: JoinTask, mirror: Mirror): Unit = {
    if (task.updated > 0 || task.removed > 0) {
      mirror.stamp = ThreadLocalRandom.current().nextLong(1L, Long.MaxValue)
      durable.write(StateHeader(mirror.stamp, partition, info.numPartitions, mirror.sequence, mirror.rows))
    }
    store.commit()
  }

  private def report(
      store: StateStore,
      task: JoinTask,
      mirror: Mirror,
      executors: Array[PipelineExecutor]
  ): Unit = {
    join.metric("numUpdatedStateRows") += task.updated
    join.metric("numRemovedStateRows") += task.removed
    join.metric("stateMemory") += mirror.memoryBytes
    join.metric(MJoinMetrics.Memory) += mirror.memoryBytes
    join.metric(MJoinMetrics.Reorders) += executors.map(_.reorders).sum
    join.metric(MJoinMetrics.Profiled) += executors.map(_.profiled).sum
    for (j <- 0 until n) {
      join.metric(MJoinMetrics.probes(j)) += executors.map(_.probes(j)).sum
      join.metric(MJoinMetrics.drops(j)) += executors.map(_.drops(j)).sum
    }
    join.committed(store, mirror.rows.sum)
  }

  private def millis(work: => Unit): Long = {
    val begin = System.nanoTime
    work
    NANOSECONDS.toMillis(System.nanoTime - begin)
  }
}
