package org.apache.spark.sql.streamon

import org.apache.spark.{ShuffleDependency, SparkEnv}
import org.apache.spark.rdd.RDD
import org.apache.spark.shuffle.sort.SortShuffleManager
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, UnsafeProjection}
import org.apache.spark.sql.catalyst.plans.physical.{Partitioning, UnknownPartitioning}
import org.apache.spark.sql.execution.{ShuffledRowRDD, SparkPlan, UnsafeRowSerializer}
import org.apache.spark.sql.execution.exchange.{Exchange, ShuffleExchangeExec}
import org.apache.spark.sql.execution.metric.{
  SQLMetric,
  SQLMetrics,
  SQLShuffleReadMetricsReporter,
  SQLShuffleWriteMetricsReporter
}
import org.apache.spark.util.MutablePair
import org.streamon.core.joins.Shares
import org.streamon.spark.execution.joins.Hypercube

/** Sends the rows of one input of an MJoin to the cells of its [[Hypercube]], in which all rows meet that can
  * join with them: each row to all cells with its coordinates, which are several where the input lacks keys.
  * (The exchange of Spark sends a row to one partition only.)
  *
  * @param keys
  *   of this input, by dimension, part by part; none where it has no key
  * @param holders
  *   by dimension, by input: whether it has a key
  * @param input
  *   the number of this one
  * @param partitions
  *   those of the MJoin's state; known when Spark has given it
  */
case class HypercubeExchangeExec(
    keys: Seq[Seq[Expression]],
    holders: Seq[Seq[Boolean]],
    input: Int,
    partitions: Option[Int],
    child: SparkPlan
) extends Exchange {

  private lazy val shares: Shares = Hypercube.shares(holders, partitions.get)

  override def outputPartitioning: Partitioning = UnknownPartitioning(partitions.getOrElse(0))

  private lazy val writeMetrics = SQLShuffleWriteMetricsReporter.createShuffleWriteMetrics(sparkContext)
  private lazy val readMetrics = SQLShuffleReadMetricsReporter.createShuffleReadMetrics(sparkContext)

  override lazy val metrics: Map[String, SQLMetric] =
    Map("dataSize" -> SQLMetrics.createSizeMetric(sparkContext, "data size")) ++ readMetrics ++ writeMetrics

  @transient private lazy val dependency: ShuffleDependency[Int, InternalRow, InternalRow] = {
    // Locals, since tasks need nothing else of this.
    val (own, columns, number, hypercube) = (keys, child.output, input, shares)
    val copies = !SparkEnv.get.shuffleManager.isInstanceOf[SortShuffleManager]
    val placed: RDD[Product2[Int, InternalRow]] = child.execute().mapPartitionsInternal { rows =>
      val cells = new HypercubeExchangeExec.Cells(own, columns, number, hypercube)
      if (copies) rows.flatMap(row => cells.of(row.copy()).map(pair => (pair._1, pair._2)))
      else rows.flatMap(cells.of)
    }
    new ShuffleDependency[Int, InternalRow, InternalRow](
      placed,
      new org.apache.spark.PartitionIdPassthrough(partitions.get),
      new UnsafeRowSerializer(child.output.size, longMetric("dataSize")),
      shuffleWriterProcessor = ShuffleExchangeExec.createShuffleWriteProcessor(writeMetrics)
    )
  }

  override protected def doExecute(): RDD[InternalRow] = new ShuffledRowRDD(dependency, readMetrics)

  override def nodeName: String = "HypercubeExchange"

  override def stringArgs: Iterator[Any] =
    Iterator(keys.map(_.mkString("[", ", ", "]")).mkString(" x ")) ++
      partitions.map(_ => s"shares ${shares.shares.mkString(" x ")}, ${shares.replicas(input)} of each row")

  override protected def withNewChildInternal(newChild: SparkPlan): HypercubeExchangeExec =
    copy(child = newChild)
}

object HypercubeExchangeExec {

  /** Where the rows of a task go. */
  private final class Cells(keys: Seq[Seq[Expression]], columns: Seq[Attribute], input: Int, shares: Shares) {
    private val projections =
      keys.map(key => if (key.isEmpty) null else UnsafeProjection.create(key, columns)).toArray
    private val hashes = new Array[Int](keys.size)
    private val placed = new MutablePair[Int, InternalRow]
    private val replicas = shares.replicas(input)
    private var first = 0
    private var row: InternalRow = _
    private var next = replicas

    private val each = new Iterator[Product2[Int, InternalRow]] {
      override def hasNext: Boolean = Cells.this.next < replicas
      override def next(): Product2[Int, InternalRow] = {
        val cell = shares.replica(input, first, Cells.this.next)
        Cells.this.next += 1
        placed.update(cell, row)
      }
    }

    /** The row beside each of its cells. The iterator and its elements are reused from call to call. */
    def of(row: InternalRow): Iterator[Product2[Int, InternalRow]] = {
      var d = 0
      while (d < hashes.length) {
        // Of the bytes of the key, and so the same on every machine and after every restart.
        if (projections(d) != null) hashes(d) = projections(d)(row).hashCode
        d += 1
      }
      this.row = row
      first = shares.cell(input, hashes)
      next = 0
      each
    }
  }
}
