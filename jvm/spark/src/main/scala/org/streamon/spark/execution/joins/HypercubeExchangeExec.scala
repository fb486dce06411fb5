package org.streamon.spark.execution.joins

import org.apache.spark.ShuffleDependency
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.plans.physical.{Partitioning, UnknownPartitioning}
import org.apache.spark.sql.execution.{ShuffledRowRDD, SparkPlan, UnsafeRowSerializer}
import org.apache.spark.sql.execution.exchange.{Exchange, ShuffleExchangeExec}
import org.apache.spark.sql.execution.metric.{
  SQLMetric,
  SQLMetrics,
  SQLShuffleReadMetricsReporter,
  SQLShuffleWriteMetricsReporter
}
import org.apache.spark.sql.streamon.SparkInternals
import org.apache.spark.util.MutablePair
import org.streamon.core.joins.Shares

/** Sends the rows of one input of an MJoin to the cells of its [[Hypercube]], where they meet all rows that
  * can join with them. Each row goes to all cells with its coordinates. If the input lacks some of the keys,
  * these are several cells. (Spark's own exchange sends a row to only one partition.) Rows of an input with a
  * window of rows may also be sent to the other cells, to be counted there.
  *
  * @param keys
  *   of this input, by dimension, part by part; none where it has no key
  * @param holders
  *   by input, by dimension: whether it has a key
  * @param input
  *   the number of this one
  * @param everywhere
  *   whether its rows go to all cells
  * @param use
  *   a number by which Spark tells it from an equal one, where they must not be one: below an exchange that
  *   is used again it finds no watermarks
  * @param partitions
  *   those of the MJoin's state; known when Spark has given it
  */
case class HypercubeExchangeExec(
    keys: Seq[Seq[Expression]],
    holders: Seq[Seq[Boolean]],
    input: Int,
    partitions: Option[Int],
    everywhere: Boolean,
    use: Long,
    child: SparkPlan
) extends Exchange {

  private lazy val shares: Shares = Hypercube.shares(holders, partitions.get)

  override def outputPartitioning: Partitioning = UnknownPartitioning(partitions.getOrElse(0))

  private lazy val writeMetrics = SQLShuffleWriteMetricsReporter.createShuffleWriteMetrics(sparkContext)
  private lazy val readMetrics = SQLShuffleReadMetricsReporter.createShuffleReadMetrics(sparkContext)

  override lazy val metrics: Map[String, SQLMetric] =
    Map("dataSize" -> SQLMetrics.createSizeMetric(sparkContext, "data size")) ++ readMetrics ++ writeMetrics

  @transient private[joins] lazy val shuffle: ShuffleDependency[Int, InternalRow, InternalRow] = {
    // Locals, since tasks need nothing else of this.
    val (own, columns, number, hypercube, all) = (keys, child.output, input, shares, everywhere)
    val copies = SparkInternals.shuffleKeepsRows(partitions.get)
    val placed: RDD[Product2[Int, InternalRow]] = child.execute().mapPartitions { rows =>
      val rowCells = new RowCells(own, columns, number, hypercube)
      val cells = new HypercubeExchangeExec.Cells(rowCells, if (all) Some(hypercube.cells) else None)
      if (copies) rows.flatMap(row => cells.of(row.copy()).map(pair => (pair._1, pair._2)))
      else rows.flatMap(cells.of)
    }
    new ShuffleDependency[Int, InternalRow, InternalRow](
      placed,
      SparkInternals.byPartition(partitions.get),
      new UnsafeRowSerializer(child.output.size, longMetric("dataSize")),
      shuffleWriterProcessor = ShuffleExchangeExec.createShuffleWriteProcessor(writeMetrics)
    )
  }

  override protected def doExecute(): RDD[InternalRow] = new ShuffledRowRDD(shuffle, readMetrics)

  override def nodeName: String = "HypercubeExchange"

  override def stringArgs: Iterator[Any] =
    Iterator(keys.map(_.mkString("[", ", ", "]")).mkString(" x ")) ++
      partitions.map(_ => s"shares ${shares.shares.mkString(" x ")}, $copiesOfRow of each row")

  private def copiesOfRow = if (everywhere) shares.cells else shares.replicas(input)

  override protected def withNewChildInternal(newChild: SparkPlan): HypercubeExchangeExec =
    copy(child = newChild)
}

object HypercubeExchangeExec {

  /** Where the rows of a task go.
    *
    * @param all
    *   how many cells there are, when each row goes to all of them
    */
  private final class Cells(cells: RowCells, all: Option[Int]) {
    private val placed = new MutablePair[Int, InternalRow]
    private val everywhere = all.nonEmpty
    private val copies = all.getOrElse(cells.replicas)
    private var first = 0
    private var row: InternalRow = _
    private var next = copies

    private val each = new Iterator[Product2[Int, InternalRow]] {
      override def hasNext: Boolean = Cells.this.next < copies
      override def next(): Product2[Int, InternalRow] = {
        val k = Cells.this.next
        Cells.this.next += 1
        placed.update(if (everywhere) k else cells.replica(first, k), row)
      }
    }

    /** The row beside each of its cells. The iterator and its elements are reused from call to call. */
    def of(row: InternalRow): Iterator[Product2[Int, InternalRow]] = {
      this.row = row
      if (!everywhere) first = cells.first(row)
      next = 0
      each
    }
  }
}
