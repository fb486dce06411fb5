package org.apache.spark.sql.streamon

import org.apache.hadoop.conf.Configuration
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, UnsafeRow}
import org.apache.spark.sql.catalyst.plans.physical._
import org.apache.spark.sql.execution.{ExplainUtils, SparkPlan}
import org.apache.spark.sql.execution.metric.SQLMetric
import org.apache.spark.sql.execution.streaming.operators.stateful._
import org.apache.spark.sql.execution.streaming.state._
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streaming.StateOperatorProgress
import org.apache.spark.util.SerializableConfiguration
import org.streamon.core.constraints.ConstraintMode
import org.streamon.core.joins.Shares
import org.streamon.spark.execution.joins.{Hypercube, InOrder, JoinShape, MirrorCaches, RowCells, StateBounds}
import org.streamon.spark.logical.{RowOrder, TwoWayWatermarks}
import org.streamon.spark.metrics.{CacheUse, ConstraintUse, FilterReport, Reports}
import org.streamon.spark.planning.{JoinConstraint, JoinSettings, MJoin}

/** An inner join of n streams: a synopsis for each input, a probing pipeline for the rows of each, and no
  * intermediate state (thesis, Chapter 5). Its inputs are hashed on their common key; where they have none,
  * they are spread over a hypercube by [[HypercubeExchangeExec]], and so they are, whatever their keys, where
  * some have windows of rows.
  *
  * @param twoWay
  *   the watermarks of the joins of two that Spark would have, which say what comes too late
  * @param timed
  *   inputs of which the results have the event time, as bits
  * @param keys
  *   by dimension, by input, part by part; none where an input has no key
  * @param placing
  *   how many dimensions, of the first, place the rows: one is hash partitioning
  * @param nullSafe
  *   by dimension, by part: whether null equals null
  * @param residuals
  *   what else must hold, in written order
  * @param scopes
  *   by residual, the inputs of the join of two that it is written in, as bits
  * @param orders
  *   by input, how its rows come, when some have windows of rows; else none
  * @param declared
  *   constraints that hints declare
  */
case class MJoinExec(
    twoWay: TwoWayWatermarks,
    timed: Long,
    keys: Seq[Seq[Seq[Expression]]],
    placing: Int,
    nullSafe: Seq[Seq[Boolean]],
    bounding: Seq[Seq[Boolean]],
    residuals: Seq[Expression],
    scopes: Seq[Long],
    orders: Seq[RowOrder],
    declared: Seq[JoinConstraint],
    settings: JoinSettings,
    stateInfo: Option[StatefulOperatorStateInfo],
    eventTimeWatermarkForLateEvents: Option[Long],
    eventTimeWatermarkForEviction: Option[Long],
    children: Seq[SparkPlan]
) extends SparkPlan
    with TakesOverStateInfo
    with SchemaValidationUtils {

  override def output: Seq[Attribute] = children.flatMap(_.output)

  private lazy val everywhere = RowOrder.everywhere(orders, keys.take(placing))
  private def hashed = MJoin.hashes(keys, placing, orders)

  private[streamon] lazy val hypercube: Option[Shares] =
    if (hashed) None
    else Some(Hypercube.shares(shape.holders.map(_.take(placing)), getStateInfo.numPartitions))

  override def requiredChildDistribution: Seq[Distribution] =
    if (!hashed) children.map(_ => UnspecifiedDistribution)
    else keys.head.map(StatefulOpClusteredDistribution(_, getStateInfo.numPartitions))

  override def outputPartitioning: Partitioning =
    if (!hashed) UnknownPartitioning(getStateInfo.numPartitions)
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

  private[streamon] lazy val severalEventTimes = !conf.getConf(SQLConf.STATEFUL_OPERATOR_ALLOW_MULTIPLE)

  private[streamon] lazy val shape: JoinShape = {
    val inputs = children.map(_.output).toIndexedSeq
    JoinShape(
      inputs,
      keys.map(_.toIndexedSeq).toIndexedSeq,
      nullSafe.map(_.toIndexedSeq).toIndexedSeq,
      residuals,
      scopes,
      StateBounds(
        inputs,
        twoWay,
        timed,
        keys,
        bounding,
        residuals,
        severalEventTimes,
        ownWatermarks = !severalEventTimes && orders.isEmpty
      ).without(i => orders.lift(i).exists(_.window.nonEmpty)),
      if (orders.isEmpty) None else Some(InOrder(orders, inputs, everywhere))
    )
  }

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

  private[streamon] lazy val storeConf: StateStoreConf = {
    val own = conf.clone()
    own.setConf(SQLConf.STREAMING_STATE_STORE_ENCODING_FORMAT, "unsaferow")
    // The operator counts its rows itself; to count them the store would read before each write.
    new StateStoreConf(own, Map("spark.sql.streaming.stateStore.rocksdb.trackTotalNumberOfRows" -> "false"))
  }

  private[streamon] lazy val hadoopConf =
    SerializableConfiguration.broadcast(sparkContext, session.sessionState.newHadoopConf())

  private[streamon] lazy val reports: Reports[FilterReport] = {
    val accumulator = Reports.ofFilters
    sparkContext.register(accumulator)
    accumulator
  }

  private[streamon] lazy val cacheReports: Reports[CacheUse] = {
    val accumulator = Reports.ofCaches
    sparkContext.register(accumulator)
    accumulator
  }

  private[streamon] lazy val constraintReports: Reports[ConstraintUse] = {
    val accumulator = Reports.ofConstraints
    sparkContext.register(accumulator)
    accumulator
  }

  override protected def customStatefulOperatorMetrics: Seq[StatefulOperatorCustomMetric] =
    MJoinMetrics.all(children.size)

  override protected def doExecute(): RDD[InternalRow] = {
    // Made on the driver, for all tasks.
    metrics; shape; everywhere; storeConf; hadoopConf; severalEventTimes; reports; cacheReports
    constraintReports; hypercube
    new ZippedStateRDD(
      sparkContext,
      children.map(_.execute()),
      getStateInfo,
      session.sessionState.streamingQueryManager.stateStoreCoordinator,
      (partition, rows) => new MJoinPartition(this, partition).join(rows)
    )
  }

  /** Whether the rows of an input are in a partition for the first time, or as replicas. */
  private[streamon] def original(input: Int, partition: Int): Boolean =
    hypercube.forall(_.original(input, partition))

  private[streamon] def metric(name: String): SQLMetric = longMetric(name)

  /** What a task reports of its store when it has been committed; rows are counted by the operator. */
  private[streamon] def committed(store: StateStore, rows: Long): Unit = {
    setStoreMetrics(store)
    // Spark adds the number of keys, which a store that does not count gives as -1 or 0.
    longMetric("numTotalStateRows") += rows - math.max(store.metrics.numKeys, 0L)
    setOperatorMetrics()
  }

  /** @param counted
    *   whether the late rows are counted here; replicas are not
    */
  private[streamon] def withoutLate(
      rows: Iterator[InternalRow],
      input: Int,
      counted: Boolean
  ): Iterator[InternalRow] = {
    val eventTime = WatermarkSupport.findEventTimeColumn(children(input).output, severalEventTimes)
    // As in Spark no watermark is before the epoch.
    val watermark = eventTimeWatermarkForLateEvents.map(w => 0L max (w + shape.bounds.late(input)))
    WatermarkSupport.watermarkExpression(eventTime, watermark) match {
      case Some(late) =>
        val predicate =
          org.apache.spark.sql.catalyst.expressions.Predicate.create(late, children(input).output)
        if (counted) applyRemovingRowsOlderThanWatermark(rows, predicate)
        else rows.filterNot(predicate.eval)
      case None => rows
    }
  }

  /** By input, whether a row joins in a partition; null where all of its rows do that are there. */
  private[streamon] def joinsIn(partition: Int): Array[UnsafeRow => Boolean] =
    Array.tabulate(children.size) { i =>
      hypercube
        .filter(_ => everywhere(i))
        .map[UnsafeRow => Boolean] { shares =>
          val cells = new RowCells(keys.take(placing).map(_(i)), children(i).output, i, shares)
          cells.contain(_, partition)
        }
        .orNull
    }

  override def getProgress(): StateOperatorProgress = JoinStateMetadata.named(super.getProgress())

  // What people see.

  override def nodeName: String = "MJoin"
  override protected def stringArgs: Iterator[Any] =
    Iterator(
      s"[${settings.algorithm}, caching ${caching}]",
      keys.indices.map(equal).mkString("; ")
    ) ++ windows ++ constraints ++
      residuals.reduceOption(org.apache.spark.sql.catalyst.expressions.And(_, _))

  private def windows: Option[String] = Option.when(orders.nonEmpty) {
    orders.indices.flatMap(i => orders(i).window.map(w => s"input $i $w")).mkString("windows [", ", ", "]")
  }

  /** What is done with constraints, and which are declared. */
  private def constraints: Option[String] =
    Option.when(watches) {
      (settings.constraints.mode.name +: declared.map(_.shown(keys))).mkString("constraints [", ", ", "]")
    }

  /** Whether constraints are watched: where windows of rows decide what is kept, they are not. */
  private[streamon] def watches: Boolean =
    settings.constraints.mode != ConstraintMode.Off && orders.isEmpty

  /** Whether rows leave memory by constraints. There are no caches then. */
  private[streamon] def evicts: Boolean = watches && settings.constraints.mode.evicts

  /** Which caches there may be. */
  private def caching: String =
    if (!evicts && MirrorCaches.canPay(shape, settings.caching)) settings.caching.mode.name else "off"

  private def equal(dimension: Int): String = {
    val own = keys(dimension)
    if (shape.isConstant(dimension))
      own.indices.filter(own(_).nonEmpty).mkString("inputs ", ", ", " compared")
    else own.filter(_.nonEmpty).map(_.mkString("[", ", ", "]")).mkString(" = ")
  }

  override def verboseStringWithOperatorId(): String = {
    val inputs = children.indices.map { i =>
      s"${ExplainUtils.generateFieldString(s"Input $i", children(i).output)}\n" +
        ExplainUtils.generateFieldString(
          s"Keys $i",
          keys.indices.filterNot(shape.isConstant).flatMap(keys(_)(i))
        ) +
        orders.lift(i).flatMap(_.window).fold("")(w => s"\nWindow $i : $w")
    }
    s"""$formattedNodeName
       |${inputs.mkString("\n")}
       |${ExplainUtils.generateFieldString("Conditions", residuals)}
       |Algorithm : ${settings.algorithm}
       |Caching : $caching
       |${constraints.fold("")(c => s"Constraints : ${c.stripPrefix("constraints ")}\n")}""".stripMargin
  }

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[SparkPlan]): MJoinExec =
    copy(children = newChildren)
}
