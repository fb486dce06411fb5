package org.streamon.spark.execution.joins

import org.apache.hadoop.conf.Configuration
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, Predicate, UnsafeRow}
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.execution.streaming.operators.stateful._
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streaming.StateOperatorProgress
import org.streamon.core.constraints.ConstraintMode
import org.streamon.core.joins.Shares
import org.streamon.core.routes.{Attribute => RouteAttribute}
import org.apache.spark.sql.streamon.{SessionOwner, SparkInternals, TakesOverStateInfo, ZippedStateRDD}
import org.streamon.spark.execution.constraints.ConstraintDescriptions
import org.streamon.spark.execution.state.{
  InOrder,
  JoinShape,
  JoinStateSchema,
  MirrorCaches,
  Partner,
  StateBounds,
  StoreHadoopConf
}
import org.streamon.spark.learning.{LearnedPlan, PlanMemory}
import org.streamon.spark.logical.JoinSpec
import org.streamon.spark.metrics.{
  CacheMonitor,
  CacheUse,
  ConstraintCounts,
  ConstraintMonitor,
  FilterCounts,
  FilterMonitor,
  Reports
}
import org.streamon.spark.settings.JoinSettings

/** An inner join of n streams, with a synopsis and a probing pipeline for each input, and without
  * intermediate state (thesis, Chapter 5). Its inputs are partitioned by the hash of their common key. If
  * they have no common key, or if some have windows of rows, [[HypercubeExchangeExec]] distributes them over
  * a hypercube.
  *
  * @param children
  *   only on the driver. A task gets this operator without the plans below it
  */
case class MJoinExec(
    spec: JoinSpec,
    settings: JoinSettings,
    stateInfo: Option[StatefulOperatorStateInfo],
    eventTimeWatermarkForLateEvents: Option[Long],
    eventTimeWatermarkForEviction: Option[Long],
    @transient children: Seq[SparkPlan]
) extends SparkPlan
    with TakesOverStateInfo
    with SchemaValidationUtils
    with MJoinRoutes
    with MJoinText {

  import spec.{keys, orders}

  /** Kept, since operators above ask for it in their tasks. */
  override val output: Seq[Attribute] = children.flatMap(_.output)

  private lazy val everywhere = spec.everywhere

  private[joins] lazy val hypercube: Option[Shares] =
    if (spec.hashes) None
    else Some(Hypercube.shares(shape.holders.map(_.take(spec.placing)), getStateInfo.numPartitions))

  override def requiredChildDistribution: Seq[Distribution] =
    if (!spec.hashes) children.map(_ => UnspecifiedDistribution)
    else keys.head.map(StatefulOpClusteredDistribution(_, getStateInfo.numPartitions))

  override def outputPartitioning: Partitioning =
    if (!spec.hashes) UnknownPartitioning(getStateInfo.numPartitions)
    else PartitioningCollection(children.map(_.outputPartitioning))

  override def withStateInfo(info: StatefulOperatorStateInfo): MJoinExec = {
    val partitioned = children.map {
      case exchange: HypercubeExchangeExec => exchange.copy(partitions = Some(info.numPartitions))
      case hashed                          => hashed
    }
    copy(stateInfo = Some(info), children = partitioned)
  }

  override def withWatermarks(late: Option[Long], eviction: Option[Long]): MJoinExec =
    copy(eventTimeWatermarkForLateEvents = late, eventTimeWatermarkForEviction = eviction)

  private[joins] lazy val severalEventTimes = !conf.getConf(SQLConf.STATEFUL_OPERATOR_ALLOW_MULTIPLE)

  private[joins] lazy val shape: JoinShape = {
    val inputs = children.map(_.output).toIndexedSeq
    val bounds =
      StateBounds(inputs, spec, severalEventTimes, ownWatermarks = !severalEventTimes && orders.isEmpty)
    JoinShape(
      inputs,
      spec,
      bounds.without(i => orders.lift(i).exists(_.window.nonEmpty)),
      if (orders.isEmpty) None else Some(InOrder(orders, inputs, everywhere))
    )
  }

  /** By input, another without which its rows go early, if any. What evicts goes by the rows that are there.
    */
  private[joins] lazy val partners: IndexedSeq[Option[Partner]] =
    shape.bounds.partners.map(_.filterNot(_ => evicts))

  override def shouldRunAnotherBatch(newInputWatermark: Long): Boolean =
    (shape.bounds.exist || orders.nonEmpty) && eventTimeWatermarkForEviction.exists(newInputWatermark > _)

  /** As Spark's own join: no result has an event time that was let go of. */
  override def produceOutputWatermark(inputWatermarkMs: Long): Option[Long] =
    Some(inputWatermarkMs + shape.bounds.delay)

  // What the checkpoint says of the state.

  /** Spark's reader of state opens column families only for operators that it knows by name. */
  override def shortName: String = StatefulOperatorsUtils.TRANSFORM_WITH_STATE_EXEC_OP_NAME

  override def operatorStateMetadataVersion: Int = 2

  override def operatorStateMetadata(schemaPaths: List[List[String]]): OperatorStateMetadata =
    JoinStateMetadata(this, schemaPaths)

  override def getColFamilySchemas(shouldBeNullable: Boolean): Map[String, StateStoreColFamilySchema] =
    JoinStateSchema.all(shape)

  override def validateAndMaybeEvolveStateSchema(
      hadoopConf: Configuration,
      batchId: Long,
      stateSchemaVersion: Int
  ): List[StateSchemaValidationResult] = {
    JoinStateMetadata.check(this, hadoopConf, batchId)
    validateAndWriteStateSchema(
      hadoopConf,
      batchId,
      JoinStateMetadata.SchemaVersion,
      getStateInfo,
      stateSchemaDirPath(),
      session
    )
  }

  // Execution.

  private[joins] lazy val storeConf: StateStoreConf = {
    val own = conf.clone()
    own.setConf(SQLConf.STREAMING_STATE_STORE_ENCODING_FORMAT, "unsaferow")
    // The operator counts its rows itself; to count them the store would read before each write.
    new StateStoreConf(own, Map("spark.sql.streaming.stateStore.rocksdb.trackTotalNumberOfRows" -> "false"))
  }

  private[joins] lazy val hadoopConf =
    StoreHadoopConf.broadcast(
      sparkContext,
      getStateInfo.queryRunId,
      session.sessionState.newHadoopConf()
    )

  /** The name of this operator within its query. */
  private[joins] def operator: String = s"MJoin ${getStateInfo.operatorId}"

  /** Who may see what tasks report. */
  @transient private lazy val owner = SessionOwner.of(session)

  private[joins] lazy val reports: Reports[FilterCounts] = {
    val attributes = routings.map(_.fold(Vector.empty[RouteAttribute])(_.routing.attributes.toVector))
    val texts = JoinReports.texts(owner, operator, algorithm, shape, attributes)
    reporting { counts =>
      val report = FilterMonitor.record(counts, texts(counts.place))
      memories.foreach(_(counts.place).learn(report))
    }
  }

  /** By input, what is remembered of such pipelines; none where it would be of no use. */
  @transient private lazy val memories: Option[IndexedSeq[PlanMemory]] = {
    val learning = if (settings.learns(shape.size)) shape.inputs.indices else IndexedSeq.empty
    val all = learning.flatMap(i => PlanMemory.of(session, JoinStructure(shape, i)))
    // The conf may be switched between two inputs.
    Option.when(all.size == shape.size)(all)
  }

  /** By input, what other tasks have learned. */
  @transient private[joins] lazy val recalled: Map[Int, LearnedPlan] = {
    val known = for {
      (memory, i) <- memories.toSeq.flatMap(_.zipWithIndex)
      plan <- memory.recall(shape.size - 1)
    } yield i -> plan
    known.toMap
  }

  /** By input, the order that other tasks have learned: filters by position. */
  private[joins] lazy val firstOrders: Map[Int, Array[Int]] =
    recalled.map { case (i, plan) => i -> plan.order.toArray }

  private[joins] lazy val cacheReports: Reports[CacheUse] = {
    val whose = owner
    reporting(CacheMonitor.record(_, whose))
  }

  private[joins] lazy val constraintReports: Reports[ConstraintCounts] = {
    val texts = Option.when(watches)(
      ConstraintDescriptions
        .of(owner, operator, shape, spec.declared, settings.constraints, hypercube.isDefined)
    )
    reporting(counts => texts.foreach(ConstraintMonitor.record(counts, _)))
  }

  private def reporting[T](deliver: T => Unit): Reports[T] = {
    val reports = new Reports[T](deliver)
    sparkContext.register(reports)
    reports
  }

  override protected def customStatefulOperatorMetrics: Seq[StatefulOperatorCustomMetric] =
    MJoinMetrics.all(children.size)

  override protected def doExecute(): RDD[InternalRow] = {
    // Made on the driver, for all tasks.
    metrics; shape; everywhere; storeConf; hadoopConf; severalEventTimes; reports; cacheReports
    constraintReports; hypercube; firstOrders; routings; partners
    new ZippedStateRDD(
      session,
      SharedExchange.rowsOf(children),
      getStateInfo,
      (partition, rows) => new MJoinPartition(this, partition).join(rows)
    )
  }

  /** Whether the rows of an input are in a partition for the first time, or as replicas. */
  private[joins] def original(input: Int, partition: Int): Boolean =
    hypercube.forall(_.original(input, partition))

  private[joins] def metric(name: String): SQLMetric = longMetric(name)

  /** What a task reports of its store when it has been committed; rows are counted by the operator. */
  private[joins] def committed(store: StateStore, rows: Long): Unit = {
    setStoreMetrics(store)
    // Spark adds the number of keys, which a store that does not count gives as -1 or 0.
    longMetric("numTotalStateRows") += rows - math.max(store.metrics.numKeys, 0L)
    setOperatorMetrics()
  }

  /** @param counted
    *   whether the late rows are counted here; replicas are not
    */
  private[joins] def withoutLate(
      rows: Iterator[InternalRow],
      input: Int,
      counted: Boolean
  ): Iterator[InternalRow] = {
    val columns = shape.inputs(input)
    val eventTime = WatermarkSupport.findEventTimeColumn(columns, severalEventTimes)
    // As in Spark no watermark is before the epoch.
    val watermark = eventTimeWatermarkForLateEvents.map(w => 0L max (w + shape.bounds.late(input)))
    WatermarkSupport.watermarkExpression(eventTime, watermark) match {
      case Some(late) =>
        val predicate = Predicate.create(late, columns)
        if (counted) applyRemovingRowsOlderThanWatermark(rows, predicate)
        else rows.filterNot(predicate.eval)
      case None => rows
    }
  }

  /** By input, whether a row joins in a partition; null where all of its rows do that are there. */
  private[joins] def joinsIn(partition: Int): Array[UnsafeRow => Boolean] =
    Array.tabulate(shape.size) { i =>
      hypercube
        .filter(_ => everywhere(i))
        .map[UnsafeRow => Boolean] { shares =>
          val cells = new RowCells(spec.placingKeys.map(_(i)), shape.inputs(i), i, shares)
          cells.contain(_, partition)
        }
        .orNull
    }

  override def getProgress(): StateOperatorProgress =
    SparkInternals.named(JoinStateMetadata.Name, super.getProgress())

  /** Whether constraints are watched: where windows of rows decide what is kept, they are not. */
  private[joins] def watches: Boolean =
    settings.constraints.mode != ConstraintMode.Off && orders.isEmpty

  /** Whether rows leave memory by constraints. There are no caches then. */
  private[joins] def evicts: Boolean = watches && settings.constraints.mode.evicts

  private[joins] def mayCache: Boolean = !evicts && MirrorCaches.canPay(shape, settings.caching)

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[SparkPlan]): MJoinExec =
    copy(children = newChildren)
}
