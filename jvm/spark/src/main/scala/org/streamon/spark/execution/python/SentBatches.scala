package org.streamon.spark.execution.python

import java.util.SplittableRandom

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.execution.python.HybridRowQueue
import org.apache.spark.unsafe.types.UTF8String
import org.json4s.JsonDSL._
import org.json4s.jackson.JsonMethods.{compact, render}
import org.streamon.core.filters.DropProfiling

/** The batches of rows that are sent to the worker. Before the arguments of the functions, the first row of a
  * batch has the instructions for the batch. A sampled row has a mark that says whether earlier conjuncts
  * have dropped it; it is sent anyway, to be profiled.
  *
  * Spark reads it in the thread of the task, or in another.
  *
  * @param waiting
  *   takes each row that is sent
  */
private[python] final class SentBatches(
    run: PythonFilterRun,
    rows: Iterator[InternalRow],
    waiting: HybridRowQueue,
    trips: Trips,
    partition: Int
) extends Iterator[Iterator[InternalRow]] {
  private val conjuncts = run.newConjuncts(partition)
  private val toUnsafe = UnsafeProjection.create(run.input, run.input)
  private val arguments = MutableProjection.create(run.arguments, run.input)
  private val sampling = new DropProfiling(new SplittableRandom, 0.0)
  private var trip: Trip = _

  // The row that is sent next, and its sample if it has one.
  private var pending: UnsafeRow = _
  private var sample: ConjunctSample = _

  override def hasNext: Boolean = pending != null || rows.hasNext && {
    trip = trips.begin()
    sampling.probability = trip.sample
    findRow()
  }

  override def next(): Iterator[InternalRow] = {
    if (!hasNext) throw new NoSuchElementException
    new Batch
  }

  private def findRow(): Boolean = {
    while (pending == null && rows.hasNext) rows.next() match {
      case row: UnsafeRow => look(row)
      // As sources give them, where Spark had a projection above the filter.
      case row => look(toUnsafe(row))
    }
    pending != null
  }

  private def look(row: UnsafeRow): Unit = {
    trip.read += 1
    sample = if (sampling.sample()) conjuncts.profile(row, trip).orNull else null
    if (sample != null || conjuncts.pass(row, trip.ahead, trip.counts)) pending = row
  }

  private final class Batch extends Iterator[InternalRow] {
    private val head = new GenericInternalRow(2)
    private val whole = new JoinedRow
    private val mostRows = math.min(run.batchRows, trip.mostRows)
    private var sent = 0
    private var bytes = 0L

    // The sampled row that is being sent, and since when.
    private var timed: ConjunctSample = _
    private var started = 0L

    override def hasNext: Boolean = {
      if (timed != null) {
        timed.sendNanos = System.nanoTime - started
        timed = null
      }
      sent < mostRows && bytes < run.batchBytes && findRow()
    }

    override def next(): InternalRow = {
      val row = pending
      pending = null
      if (sample == null) head.update(1, null)
      else {
        head.update(1, trip.isDropped(sample))
        trip.samples.add(sample)
        timed = sample
        started = System.nanoTime
      }
      waiting.add(row)
      head.update(0, if (sent == 0) SentBatches.control(trip) else null)
      sent += 1
      bytes += row.getSizeInBytes
      whole(head, arguments(row))
    }
  }
}

private object SentBatches {

  /** The order that the worker is to follow, whether conjuncts are left for the rows that come back, and
    * whether these may wait for those of other batches.
    */
  def control(trip: Trip): UTF8String = UTF8String.fromString(
    compact(
      render(
        ("order" -> trip.functions.toSeq) ~ ("latest" -> trip.latest) ~ ("behind" -> trip.behind.nonEmpty) ~
          ("waits" -> trip.waits)
      )
    )
  )
}
