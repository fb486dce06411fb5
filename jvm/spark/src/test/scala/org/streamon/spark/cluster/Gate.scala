package org.streamon.spark.cluster

import java.io.IOException
import java.nio.file.StandardOpenOption.CREATE_NEW
import java.nio.file.{FileAlreadyExistsException, Files, NoSuchFileException, Path}
import java.util.concurrent.TimeUnit.MINUTES
import java.util.concurrent.locks.LockSupport

import org.apache.spark.{SparkEnv, TaskContext}

/** Holds one task of a query whose executors are processes of their own: the first that comes to a place
  * while the gate there is closed. Those that come later pass. A held task does not heed interrupts, and lets
  * its test know when it ends.
  *
  * @param folder
  *   that all processes see; what they know of each other is in its files
  */
final class Gate(folder: String) extends Serializable {
  import Gate._

  /** For the test: closes a place for the task that comes next. */
  def close(place: String): Unit = {
    val number = read(file("last")).fold(0)(_.toInt) + 1
    Files.writeString(file("last"), number.toString)
    val draft = Files.writeString(file("draft"), s"$number $place")
    Files.move(draft, file("closed"))
  }

  /** For the test: who is held, when somebody is. */
  def held: Option[Held] =
    last("held").map(_.split(" ")).collect { case Array(executor, pid, "held") => Held(executor, pid.toLong) }

  /** For the test: lets the task go on. */
  def open(): Unit = { Files.deleteIfExists(file("closed")); () }

  /** For the test: has the task fail. */
  def fail(): Unit = {
    Files.writeString(file(s"failed${read(file("last")).get}"), "")
    open()
  }

  /** For the test: whether the task that was held has ended, in whatever way. */
  def hasEnded: Boolean = last("ended").isDefined

  /** For a task: a place.
    *
    * @throws java.io.IOException
    *   when the test has the task fail there
    */
  def pass(place: String): Unit = read(file("closed")).map(_.split(" ", 2)) match {
    case Some(Array(number, `place`)) if isFirst(number) => hold(number, place)
    case _                                               => ()
  }

  private def hold(number: String, place: String): Unit = {
    val ended = file(s"ended$number")
    TaskContext.get().addTaskCompletionListener[Unit] { _ => Files.writeString(ended, ""); () }
    val begin = System.nanoTime
    while (Files.exists(file("closed"))) {
      if (System.nanoTime - begin > Patience)
        throw new IllegalStateException(s"nobody opens the gate, $place")
      LockSupport.parkNanos(1000000L)
      Thread.interrupted()
    }
    if (Files.exists(file(s"failed$number"))) throw new IOException(s"failed on purpose: $place")
  }

  /** For a query: a function that gives back what it gets. */
  def row: Int => Int = { k =>
    pass(Row)
    k
  }

  private def isFirst(number: String): Boolean =
    try {
      val me = s"${SparkEnv.get.executorId} ${ProcessHandle.current.pid} held"
      Files.writeString(file(s"held$number"), me, CREATE_NEW)
      true
    } catch { case _: FileAlreadyExistsException => false }

  private def last(name: String): Option[String] =
    read(file("last")).flatMap(number => read(file(s"$name$number")))

  private def file(name: String): Path = Path.of(folder, name)

  private def read(path: Path): Option[String] =
    try Some(Files.readString(path))
    catch { case _: NoSuchFileException => None }
}

object Gate {

  /** The property that names the folder to executors. */
  val Property = "streamon.gate"

  /** At a row that a query gives to [[Gate.row]]. */
  val Row = "row"

  private val Patience = MINUTES.toNanos(3)

  final case class Held(executor: String, pid: Long)
}
