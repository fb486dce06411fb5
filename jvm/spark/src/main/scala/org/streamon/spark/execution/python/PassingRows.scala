package org.streamon.spark.execution.python

import java.util.concurrent.ConcurrentLinkedQueue

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.streamon.PythonWorker
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarBatch}
import org.apache.spark.unsafe.types.UTF8String
import org.json4s.JsonDSL._
import org.json4s.jackson.JsonMethods.{compact, render}
import org.streamon.core.loop.Versioned

/** The rows of a partition that pass a filter of Python predicates. Rows wait in a queue while their
  * arguments are at the worker, which answers with the numbers of those that pass.
  *
  * Spark reads the input in the thread of the task, or in another.
  */
private[python] final class PassingRows(
    run: PythonFilterRun,
    rows: Iterator[InternalRow],
    task: PythonFilterTask
) extends Iterator[InternalRow] {
  private val waiting = PythonWorker.queue(run.input.length)

  /** By batch that is at the worker, the order that it is to follow. */
  private val told = new ConcurrentLinkedQueue[Versioned[Array[Int]]]
  private val answers = PythonWorker.run(run.worker, run.sent, new Batches, run.workerMetrics)

  private val result = UnsafeProjection.create(run.output, run.output)
  private val joined = new JoinedRow
  private var numbers, reports: ColumnVector = _
  private var values: Option[ColumnarBatch] = None
  private var at, end = 0
  // Rows that have left the queue, and those that have been answered.
  private var taken, answered = 0L
  // What was handed out last. It stays as it is until the next one is asked for, though it leaves the queue.
  private val current = new UnsafeRow(run.input.length)

  override def hasNext: Boolean = {
    while (!atRow && (at < end || answers.hasNext)) if (at < end) learn() else read(answers.next())
    atRow
  }

  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException
    dropUntil(numbers.getLong(at))
    val row = waiting.remove()
    taken += 1
    val passing =
      if (values.isEmpty) handOut(row) else result(joined(row, values.get.getRow(at)))
    at += 1
    run.numOutputRows += 1
    passing
  }

  /** Whether a row that passes is next in the answer at hand, and no report. */
  private def atRow: Boolean = at < end && numbers.getLong(at) >= 0

  private def handOut(row: UnsafeRow): UnsafeRow = {
    current.pointTo(row.getBaseObject, row.getBaseOffset, row.getSizeInBytes)
    current
  }

  /** Rows before this number have been dropped: they leave the queue. */
  private def dropUntil(number: Long): Unit = while (taken < number) {
    waiting.remove()
    taken += 1
  }

  /** All that has been answered leaves the queue, so that it does not grow where no row passes. */
  private def settle(): Unit = if (taken < answered) {
    if (current.getBaseObject != null) handOut(current.copy())
    dropUntil(answered)
  }

  /** Spark may cut what the worker answers into smaller batches. */
  private def read(answer: ColumnarBatch): Unit = {
    numbers = answer.column(0)
    reports = answer.column(1)
    values = Option.when(answer.numCols > 2) {
      new ColumnarBatch(Array.tabulate(answer.numCols - 2)(v => answer.column(v + 2)), answer.numRows)
    }
    end = answer.numRows
    at = 0
  }

  private def learn(): Unit = {
    settle()
    val report = PythonReport(reports.getUTF8String(at).toString)
    answered += report.rows
    task.learn(report, told.remove())
    at += 1
  }

  private final class Batches extends Iterator[Iterator[InternalRow]] {
    private val arguments = MutableProjection.create(run.arguments, run.input)

    override def hasNext: Boolean = rows.hasNext

    override def next(): Iterator[InternalRow] = {
      val order = task.order
      told.add(order)
      new Batch(arguments, PassingRows.control(order, task.sample))
    }
  }

  private final class Batch(arguments: MutableProjection, control: UTF8String) extends Iterator[InternalRow] {
    private val head = new GenericInternalRow(1)
    private val whole = new JoinedRow
    private var sent = 0
    private var bytes = 0L

    override def hasNext: Boolean = sent < run.batchRows && bytes < run.batchBytes && rows.hasNext

    override def next(): InternalRow = {
      val row = rows.next().asInstanceOf[UnsafeRow]
      waiting.add(row)
      head.update(0, if (sent == 0) control else null)
      sent += 1
      bytes += row.getSizeInBytes
      whole(head, arguments(row))
    }
  }
}

private object PassingRows {

  /** The order that the worker is to follow, and the share of rows that it is to profile. */
  def control(order: Versioned[Array[Int]], sample: Double): UTF8String = UTF8String.fromString(
    compact(render(("order" -> order.plan.toSeq) ~ ("sample" -> sample)))
  )
}
