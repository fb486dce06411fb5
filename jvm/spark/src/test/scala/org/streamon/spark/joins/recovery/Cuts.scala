package org.streamon.spark.joins.recovery

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._

/** How [[ThreeStreams]] are cut into micro-batches: by micro-batch, by stream, which of its parts come. */
object Cuts {
  type Cut = Map[String, Range]

  /** A part of every stream in each. */
  def even(batches: Int): Seq[Cut] =
    for (batch <- 0 until batches) yield ThreeStreams.Names.map(_ -> (batch to batch)).toMap

  /** Those of a query over files of which a micro-batch takes one of each stream, by its log of offsets. A
    * query that is killed when some of its sources have written down which file comes next, but not all, goes
    * on with a micro-batch of two files of these.
    *
    * @param checkpoint
    *   with all of its log
    */
  def of(checkpoint: Path): Seq[Cut] = {
    val ends = Iterator
      .from(0)
      .map(batch => checkpoint.resolve(s"offsets/$batch"))
      .takeWhile(Files.exists(_))
      .map(endsOf)
      .toSeq
    for ((before, after) <- ThreeStreams.Names.map(_ => 0) +: ends zip ends)
      yield ThreeStreams.Names.zip(before zip after map { case (from, until) => from until until }).toMap
  }

  /** By stream, how many files it has given when a micro-batch ends. */
  private def endsOf(offsets: Path): Seq[Int] =
    for (source <- Files.readAllLines(offsets).asScala.toSeq.drop(2))
      yield LogOffset.findFirstMatchIn(source).fold(0)(_.group(1).toInt + 1)

  private val LogOffset = """"logOffset":(\d+)""".r
}
