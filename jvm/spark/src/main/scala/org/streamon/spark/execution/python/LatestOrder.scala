package org.streamon.spark.execution.python

import java.io.File
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, StandardCopyOption}
import java.util.UUID

import scala.util.control.NonFatal

import org.apache.spark.TaskContext
import org.apache.spark.internal.Logging
import org.json4s.JsonDSL._
import org.json4s.jackson.JsonMethods.{compact, render}

/** Sends a new order of functions to the worker of a task. Many batches may already be in the socket buffers,
  * each with the order at the time of its sending. So the newest order is in a file, which the worker reads
  * before each batch. If it cannot read the file, it uses the order that was sent with the batch.
  */
private[python] final class LatestOrder private (file: File) extends Logging {
  private var published = Seq.empty[Int]
  private var writes = true

  def path: String = file.getPath

  /** An order for the first so many batches of the task, those apart that have been answered. */
  def publish(batches: Int, order: Array[Int]): Unit = if (writes && order.toSeq != published) {
    val text = compact(render(("batches" -> batches) ~ ("order" -> order.toSeq)))
    try {
      val whole = LatestOrder.whole(file).toPath
      Files.write(whole, text.getBytes(UTF_8))
      Files.move(whole, file.toPath, StandardCopyOption.ATOMIC_MOVE)
      published = order.toSeq
    } catch {
      case NonFatal(error) =>
        logWarning(
          s"Batches that are already sent keep their first order, since $path cannot be written",
          error
        )
        writes = false
    }
  }
}

private[python] object LatestOrder {

  /** That of the running task. */
  def inFolder(folder: File): LatestOrder = {
    val file = new File(folder, s"streamon-order-${UUID.randomUUID}.json")
    TaskContext.get().addTaskCompletionListener[Unit] { _ =>
      file.delete()
      whole(file).delete()
    }
    new LatestOrder(file)
  }

  /** Takes the place of the file when it is written. */
  private def whole(file: File) = new File(s"$file.new")
}
