package org.streamon.spark.matching.streams

import java.nio.file.Path

import scala.collection.concurrent.TrieMap

import org.apache.spark.sql.{DataFrame, Dataset, Row}
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.execution.streaming.runtime.MemoryStream
import org.apache.spark.sql.streaming.StreamingQuery

/** A stream of numbers `x`, and rules in a folder of files.
  *
  * @param folder
  *   for the rules and the checkpoint
  */
private[streams] final class Alerts(spark: SparkSession, folder: Path) {
  import spark.implicits._

  val input: MemoryStream[Int] = MemoryStream[Int](spark)
  val checkpoint: Path = folder.resolve("checkpoint")

  /** The pairs of a number and a rule, by micro-batch. */
  val found: TrieMap[Long, Seq[(Int, String)]] = TrieMap.empty

  /** Called when the sink has read a micro-batch. */
  @volatile var afterwards: () => Unit = () => ()

  /** Whether the sink fails then. */
  @volatile var fails = false

  private val table = folder.resolve("rules").toString

  /** Writes the table of rules anew. */
  def write(rules: (String, String)*): Unit =
    rules.toDF("rule", "condition").coalesce(1).write.mode("overwrite").parquet(table)

  /** The numbers with the rules that hold, as `x` and `rule`.
    *
    * @param from
    *   what comes before the rules
    */
  def matched(from: DataFrame => DataFrame): DataFrame = {
    from(input.toDF().toDF("x")).createOrReplaceTempView("events")
    spark.read.parquet(table).createOrReplaceTempView("rules")
    spark.sql("SELECT x, rule FROM streamon_match(TABLE(events), TABLE(rules), 'exploded')")
  }

  def start(frame: DataFrame, mode: String): StreamingQuery = frame.writeStream
    .outputMode(mode)
    .foreachBatch(keep _)
    .option("checkpointLocation", checkpoint.toString)
    .start()

  private def keep(batch: Dataset[Row], id: Long): Unit = {
    found(id) = batch.as[(Int, String)].collect().toSeq.sorted
    afterwards()
    if (fails) throw new IllegalStateException("the sink fails")
  }

  /** What the next micro-batch finds. */
  def push(query: StreamingQuery, numbers: Int*): Seq[(Int, String)] = {
    input.addData(numbers: _*)
    query.processAllAvailable()
    found(found.keys.max)
  }

  /** Runs the query, and stops it.
    *
    * @param to
    *   what comes after the rules
    */
  def running[T](
      from: DataFrame => DataFrame = identity,
      to: DataFrame => DataFrame = identity,
      mode: String = "append"
  )(body: StreamingQuery => T): T = {
    val query = start(to(matched(from)), mode)
    try body(query)
    finally query.stop()
  }
}
