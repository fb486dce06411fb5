package org.streamon.spark.execution.python

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.streamon.PythonWorker
import org.apache.spark.sql.vectorized.{ColumnVector, ColumnarBatch}

/** The rows of a partition that pass a filter of Python predicates and the conjuncts around it. Rows wait in
  * a queue while the worker has their arguments. The worker answers with the numbers of the rows that pass.
  */
private[python] final class PassingRows(
    run: PythonFilterRun,
    rows: Iterator[InternalRow],
    trips: Trips,
    partition: Int
) extends Iterator[InternalRow] {
  private val waiting = PythonWorker.queue(run.input.length)
  private val sent = new SentBatches(run, rows, waiting, trips, partition)
  private val answers = PythonWorker.run(run.worker, run.sent, sent, run.workerMetrics)

  private val conjuncts = run.newConjuncts(partition)
  private val result = UnsafeProjection.create(run.output, run.output)
  private val joined = new JoinedRow

  private var numbers, reports: ColumnVector = _
  private var values: Option[ColumnarBatch] = None
  private var at, end = 0
  private var trip: Trip = _

  // Rows that have left the queue, and those that have been answered.
  private var taken, answered = 0L

  // The next row. Its memory is that of the queue, until another row leaves it.
  private var ready: InternalRow = _
  private var rescued: Iterator[InternalRow] = Iterator.empty

  override def hasNext: Boolean = {
    while (!isReady && (at < end || answers.hasNext)) if (at < end) advance() else read(answers.next())
    isReady
  }

  override def next(): InternalRow = {
    if (!hasNext) throw new NoSuchElementException
    if (ready == null) rescued.next()
    else {
      val row = result(ready)
      ready = null
      row
    }
  }

  private def isReady = ready != null || rescued.hasNext

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

  private def advance(): Unit = {
    if (numbers.getLong(at) < 0) learn(PythonReport(reports.getUTF8String(at).toString))
    else judge(numbers.getLong(at))
    at += 1
  }

  /** A row that passes all functions. */
  private def judge(number: Long): Unit = {
    dropUntil(number)
    val row = take()
    if (conjuncts.pass(row, trip.behind, trips.counts)) {
      ready = values.fold[InternalRow](row)(v => joined(row, v.getRow(at)))
      trips.passed()
      run.numOutputRows += 1
    }
  }

  private def learn(report: PythonReport): Unit = {
    // All that has been answered leaves the queue, so that it does not grow where no row passes.
    dropUntil(answered)
    answered += report.rows
    // Spark has counted the report as a row.
    run.workerMetrics.get("pythonNumRowsReceived").foreach(rows => rows.set(rows.value - 1))
    trip = trips.answered(report)
    if (report.unresolved) rescued = rescue(report)
  }

  /** A function has raised on a row of a batch that conjuncts were left for. They go first now, as in Spark,
    * and functions are called for what they let through.
    */
  private def rescue(report: PythonReport): Iterator[InternalRow] = {
    val found = new ConjunctCounts(run.conjuncts.size)
    val written = run.conjuncts.indices.toArray
    val left = Iterator.fill(report.rows.toInt)(take()).filter(conjuncts.pass(_, written, found))
    val passing = new PassingRows(run.copy(conjuncts = Nil), left, trips.rescue, partition)
    passing ++ {
      passing.waiting.close()
      trips.rescued(trip, report, found)
      Iterator.empty
    }
  }

  private def take(): UnsafeRow = {
    taken += 1
    waiting.remove()
  }

  /** Rows before this number have been dropped: they leave the queue. */
  private def dropUntil(number: Long): Unit = while (taken < number) take()
}
