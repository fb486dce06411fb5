package org.streamon.spark.joins.recovery

import java.io.File
import java.lang.management.ManagementFactory
import java.nio.file.{Files, Path}
import java.util.concurrent.TimeUnit.{MILLISECONDS, SECONDS}

import scala.jdk.CollectionConverters._
import scala.util.Random

/** The lives of one query, each in a process, with the class path and the flags of this one.
  *
  * @param home
  *   of checkpoint and sink, and of what the processes say
  * @param from
  *   where the streams come from: see [[Life]]
  */
final class Lives(home: Path, from: String, sql: String) {
  private val patience = SECONDS.toNanos(180)
  private val log = home.resolve("said")

  /** Starts the query, lets it finish some micro-batches, and kills it at a moment that `random` draws: a
    * little after one of its files is there.
    *
    * @return
    *   how far it had come
    */
  def killed(random: Random, confs: Seq[(String, String)]): Progress = {
    val process = start(confs)
    try {
      val done = Progress.of(home).commits + 1 + random.nextInt(4)
      await(process)(_.commits >= done)
      val sign = Lives.signs(random.nextInt(Lives.signs.size))
      val seen = sign(Progress.of(home))
      await(process)(sign(_) > seen)
      for (_ <- 0 until random.nextInt(1 + random.nextInt(8))) process.waitFor(1, MILLISECONDS)
      if (!process.isAlive) sys.error(s"it ended before it could be killed:\n$said")
    } finally kill(process)
    Progress.of(home)
  }

  /** Starts the query and waits for its end. Fails if it goes on for twice as many micro-batches as there are
    * of rows.
    */
  def toTheEnd(confs: Seq[(String, String)], batches: Int): Unit = {
    val process = start(confs)
    try {
      // Watermarks bring micro-batches without rows.
      if (reaches(process)(_.commits > 2 * batches)) sys.error(s"it does not end:\n$said")
      if (process.exitValue() != 0) ended(process)
    } finally kill(process)
  }

  private def start(confs: Seq[(String, String)]): Process = {
    val flags = ManagementFactory.getRuntimeMXBean.getInputArguments.asScala
      .filter(f => f.startsWith("--add-opens") || f.startsWith("-Djdk."))
    val command = Seq(Path.of(System.getProperty("java.home"), "bin", "java").toString) ++ flags ++
      // Short lives: little is compiled, and little memory is used.
      Seq("-Xmx1g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC") ++
      Seq("-cp", System.getProperty("java.class.path"), Life.getClass.getName.stripSuffix("$")) ++
      Seq(home.toString, from, sql) ++ confs.map { case (key, value) => s"$key=$value" }
    new ProcessBuilder(command.asJava)
      .directory(home.toFile)
      .redirectErrorStream(true)
      .redirectOutput(ProcessBuilder.Redirect.appendTo(new File(log.toString)))
      .start()
  }

  private def await(process: Process)(goal: Progress => Boolean): Unit =
    if (!reaches(process)(goal)) ended(process)

  /** Waits until the query has come so far. Fails if no micro-batch ends for as long as `patience`.
    *
    * @return
    *   whether it has; if not, it ended before
    */
  private def reaches(process: Process)(goal: Progress => Boolean): Boolean = {
    var progress = Progress.of(home)
    var begin = System.nanoTime
    // A pause as well.
    while (!goal(progress) && !process.waitFor(1, MILLISECONDS)) {
      val now = Progress.of(home)
      if (now.commits > progress.commits) begin = System.nanoTime
      else if (System.nanoTime - begin > patience) sys.error(s"it does not go on from $now:\n$said")
      progress = now
    }
    goal(progress)
  }

  private def ended(process: Process): Nothing = sys.error(s"it ended with ${process.exitValue()}:\n$said")

  /** SIGKILL, where there is such a thing. */
  private def kill(process: Process): Unit =
    if (!process.destroyForcibly().waitFor(60, SECONDS)) sys.error(s"${process.pid} does not die")

  private def said: String = Files.readAllLines(log).asScala.takeRight(60).mkString("\n")
}

object Lives {

  /** What the moment of a kill can follow on. */
  private val signs: Seq[Progress => Long] = Seq(_.offsets, _.state.sum, _.state.min, _.sink, _.commits)
}
