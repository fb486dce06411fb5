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
  private var numbers: ColumnVector = _
  private var values: Option[ColumnarBatch] = None
  private var at, end = 0
  private var taken = 0L

  override def hasNext: Boolean = {
    while (at >= end && answers.hasNext) read(answers.next())
    at < end
  }

  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException
    val row = take(numbers.getLong(at))
    val passing = if (values.isEmpty) row else result(joined(row, values.get.getRow(at)))
    at += 1
    run.numOutputRows += 1
    passing
  }

  /** The waiting row of a number; those before it have been dropped. */
  private def take(number: Long): UnsafeRow = {
    while (taken < number) {
      waiting.remove()
      taken += 1
    }
    taken += 1
    waiting.remove()
  }

  private def read(answer: ColumnarBatch): Unit = {
    numbers = answer.column(0)
    values = Option.when(answer.numCols > 2) {
      new ColumnarBatch(Array.tabulate(answer.numCols - 2)(v => answer.column(v + 2)), answer.numRows)
    }
    end = answer.numRows
    at = 1
    task.learn(PythonReport(answer.column(1).getUTF8String(0).toString), told.remove(), end - 1L)
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

  /** What the worker reads as `Order`. */
  def control(order: Versioned[Array[Int]], sample: Double): UTF8String = UTF8String.fromString(
    compact(render(("version" -> order.version) ~ ("order" -> order.plan.toSeq) ~ ("sample" -> sample)))
  )
}
