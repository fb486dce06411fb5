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

/** Tells the worker of a task of a new order of functions. Many batches may be on their way to it already, as
  * many as sockets hold, and each has the order of the time at which it was sent. So the newest order is in a
  * file beside the worker, which looks there before each batch. Where it cannot, batches have the order that
  * they were sent with.
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
        logWarning(s"Batches that are already sent keep the order of their sending, since $path cannot be written", error)
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
