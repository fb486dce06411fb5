package org.streamon.spark.execution.joins

import java.util.SplittableRandom
import java.util.concurrent.ThreadLocalRandom
import java.util.concurrent.TimeUnit.NANOSECONDS

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.types.{NullType, StructType}
import org.apache.spark.sql.streamon.SparkInternals
import org.streamon.spark.errors.CheckpointError
import org.streamon.spark.execution.constraints.{ColdRows, ConstraintState, TaskConstraints}
import org.streamon.spark.execution.state.{
  ArrivingRow,
  DepartureListener,
  DurableWindows,
  ExecutorMemory,
  InOrder,
  JoinStateStore,
  MemoryShare,
  Mirror,
  MirrorCaches,
  RowKeys,
  StateHeader
}
import org.streamon.spark.util.Clock
import org.streamon.core.caching.CachedPipeline
import org.streamon.core.filters.DropProfiling
import org.streamon.core.joins.{PipelineExecutor, PipelineListener}

/** Runs one partition of an MJoin in one micro-batch, around a [[JoinTask]]. */
private[joins] final class MJoinPartition(join: MJoinExec, partition: Int) {
  private val info = join.getStateInfo
  private val shape = join.shape
  private val n = shape.size

  /** Whether the mirror waits for the next micro-batch. */
  private var isKept = false

  def join(rows: IndexedSeq[Iterator[InternalRow]]): Iterator[InternalRow] = {
    val begin = System.nanoTime
    val store = open()
    val durable = new JoinStateStore(store, shape)
    val inOrder = shape.order.zip(durable.windows)
    val header = durable.header
    header.foreach { h =>
      if (h.partition != partition || h.partitions != info.numPartitions)
        throw CheckpointError.otherPartitions(partition, info.numPartitions, h.partition, h.partitions)
    }
    val key = MirrorRegistry.Key(info.checkpointLocation, info.operatorId, partition)
    val keys = new RowKeys(shape)
    val budget = ExecutorMemory.budget(join.settings.executorMemory)
    val told = ColdRows.told(header, n, windowed = shape.order.isDefined)
    val (share, kept) = MirrorRegistry.take(key, header.fold(StateHeader.Fresh)(_.stamp), budget)(fits)
    TaskContext.get().addTaskCompletionListener[Unit](_ => if (!isKept) share.close())
    val mirror = kept.getOrElse {
      header.foreach(_ => join.metric(MJoinMetrics.Rebuilt) += 1)
      new MirrorRebuild(info.checkpointLocation, shape, newConstraints, join.partners, durable, keys, share)
        .from(header, told, inOrder.map(_._2))
    }
    for (mirror <- kept; state <- ConstraintState.of(mirror)) state.gone = told.gone
    // Where reading it has changed the store, what is committed is no longer what the mirror would go back to.
    mirror.begin(canGoBack = !join.evicts && shape.order.isEmpty && !mirror.altered)
    TaskContext.get().addTaskCompletionListener[Unit] { task =>
      // The action has stopped early.
      if (!isKept && !task.isFailed() && mirror.goesBack()) keep(key, mirror, share)
      if (!isKept) mirror.closeCaches()
    }
    val residuals = shape.residuals
    val arriving = new ArrivingRow(shape.dimensions)
    val going = shape.bounds.at(join.eventTimeWatermarkForEviction)
    val constraints =
      ConstraintState
        .of(mirror)
        .map(new TaskConstraints(shape, _, mirror, durable, keys, arriving, going))
    val inputs = new JoinedInputs(
      arriving,
      mirror,
      keys,
      durable,
      constraints.fold(new Array[ColdRows](n))(_.coldRows),
      shape.inputs.map(_.size).toArray,
      residuals.predicates(partition),
      residuals.reads,
      residuals.trials
    )
    val shared =
      OrderRegistry.pipelines(
        OrderRegistry.Key(info.checkpointLocation, info.operatorId),
        shape,
        join.settings,
        join.firstOrders,
        join.routings
      )
    val caches =
      if (join.evicts) None
      else MirrorCaches.of(mirror, info.queryRunId, shape, shared.orders, join.settings.caching, budget)
    val cached =
      caches.map(c => Array.tabulate(n)(c.of(_, inputs, () => System.nanoTime, Clock.Nanos.toDouble)))
    mirror.departing = cached.fold[DepartureListener](DepartureListener.Nobody)(new LeavingRows(inputs, _))
    val reports = new MJoinReports(join, partition, mirror, caches)
    val routes = Array.tabulate(n) { i =>
      shared.routes(i).map(new TaskRoutes(_, join.routings(i).get.columns)).orNull
    }
    val executors = pipelines(shared, inputs, cached, routes)
    val parts = new JoinTask.Parts(
      shape,
      residuals.filters(partition),
      executors,
      routes,
      keys,
      arriving,
      inputs,
      mirror,
      durable,
      going,
      shape.bounds.unmetAt(join.eventTimeWatermarkForEviction),
      caches,
      constraints.orNull,
      new TaskMemory(share, mirror),
      new Spill(shape, mirror, durable, keys)
    )
    val task = inOrder match {
      case Some((order, windows)) =>
        val held = RowWindow.all(shape, order, mirror, keys, durable, windows)
        new OrderedJoinTask(parts, arrivalsOf(rows, order, windows, mirror), held)
      case None =>
        new JoinTask(
          parts,
          rows.indices.map(i => join.withoutLate(rows(i), i, counted = join.original(i, partition)))
        )
    }
    val project = UnsafeProjection.create(join.output, join.output)
    val outputRows = join.metric("numOutputRows")
    val results = task.map { row =>
      outputRows += 1
      project(row): InternalRow
    }
    SparkInternals.thenDo(results) {
      task.close()
      join.metric("allUpdatesTimeMs") += NANOSECONDS.toMillis(System.nanoTime - begin)
      join.metric("allRemovalsTimeMs") += millis(task.expire())
      join.metric("commitTimeMs") += millis(commit(store, durable, task, mirror))
      mirror.departing = DepartureListener.Nobody
      caches.filter(_ => mirror.caches.nonEmpty).foreach(_.review())
      reports.count(store, task, executors)
      reports.tell(task, executors, routes)
      for (c <- constraints; s <- ConstraintState.of(mirror)) reports.tell(s, c)
      keep(key, mirror, share)
    }
  }

  private def keep(key: MirrorRegistry.Key, mirror: Mirror, share: MemoryShare): Unit = {
    val provider = providerId
    isKept = true
    share.bytes = mirror.memoryBytes
    MirrorRegistry.put(key, mirror, share)(StateStore.isLoaded(provider))
  }

  private def providerId =
    StateStoreProviderId(StateStoreId(info.checkpointLocation, info.operatorId, partition), info.queryRunId)

  private def open(): StateStore = {
    val nothing = new StructType().add("__dummy__", NullType)
    val store = StateStore.get(
      providerId,
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
    store
  }

  private def arrivalsOf(
      rows: IndexedSeq[Iterator[InternalRow]],
      order: InOrder,
      store: DurableWindows,
      mirror: Mirror
  ): OrderedArrivals = {
    def micros(watermark: Option[Long]) = watermark.fold(Long.MinValue)(_ * 1000L)
    val late = join.metric("numRowsDroppedByWatermark")
    new OrderedArrivals(
      order,
      rows,
      shape.inputs.map(_.size).toArray,
      join.joinsIn(partition),
      micros(join.eventTimeWatermarkForLateEvents),
      micros(join.eventTimeWatermarkForEviction),
      mirror,
      store,
      input => if (join.original(input, partition)) late += 1
    )
  }

  private def newConstraints =
    Option.when(join.watches)(new ConstraintState(shape, join.spec.declared, join.settings.constraints))

  private def fits(mirror: Mirror) = mirror.fits(shape) && mirror.partners == join.partners && {
    val wanted = Option.when(join.watches)((join.settings.constraints, join.spec.declared))
    ConstraintState.of(mirror).map(s => (s.settings, s.declared)) == wanted
  }

  private def pipelines(
      shared: Pipelines,
      inputs: JoinedInputs,
      cached: Option[Array[CachedPipeline]],
      routes: Array[TaskRoutes]
  ): Array[PipelineExecutor] = {
    val random = new SplittableRandom()
    Array.tabulate(n) { i =>
      val profiling = new DropProfiling(random, join.settings.profilingProbability)
      new PipelineExecutor(
        shared.orders(i),
        inputs,
        profiling,
        () => System.nanoTime,
        cached.map(_(i)).orNull,
        Option[PipelineListener](routes(i)).getOrElse(PipelineListener.None)
      )
    }
  }

  private def commit(store: StateStore, durable: JoinStateStore, task: JoinTask, mirror: Mirror): Unit = {
    task.makeRoom()
    if (task.changed) {
      val evicting = ConstraintState.of(mirror).filter(_.settings.mode.evicts)
      mirror.stamp = ThreadLocalRandom.current().nextLong(1L, Long.MaxValue)
      mirror.altered = false
      evicting.foreach(_.checkpoint.save(mirror.stamp, durable.constraints))
      durable.write(
        StateHeader(
          mirror.stamp,
          partition,
          info.numPartitions,
          mirror.sequence,
          mirror.rows ++ mirror.waiting ++ evicting.fold(Array.empty[Long])(s => s.cold.rows ++ s.gone),
          mirror.spilled.clone()
        )
      )
    }
    store.commit()
  }

  private def millis(work: => Unit): Long = {
    val begin = System.nanoTime
    work
    NANOSECONDS.toMillis(System.nanoTime - begin)
  }
}
