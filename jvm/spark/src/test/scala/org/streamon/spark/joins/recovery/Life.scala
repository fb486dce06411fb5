package org.streamon.spark.joins.recovery

import org.apache.spark.sql.{DataFrame, Row, SparkSession}
import org.apache.spark.sql.streaming.{DataStreamWriter, Trigger}
import org.streamon.spark.SparkSuite
import org.streamon.spark.cluster.WithStandardInput

/** One life of a query that is to be killed, in a virtual machine of its own: it joins what there is of
  * [[ThreeStreams]], writes it to files, and ends. It ends too when its standard input does, so that it does
  * not outlive the test.
  *
  * Arguments: the folder with checkpoint and sink; where the streams come from, either a folder with a folder
  * for each or, after `kafka:`, the address of a broker with a topic for each; the query; and confs, as
  * `key=value`.
  */
object Life {
  def main(arguments: Array[String]): Unit = {
    WithStandardInput.end()
    val home = arguments(0)
    val session = start(arguments.drop(3).toSeq)
    for (name <- ThreeStreams.Names)
      ThreeStreams.view(lines(session, arguments(1), name)).createOrReplaceTempView(name)
    into(session, session.sql(arguments(2)).writeStream, s"$home/out")
      .option("checkpointLocation", s"$home/checkpoint")
      .trigger(Trigger.AvailableNow())
      .start()
      .awaitTermination()
    session.stop()
  }

  /** Spark's sink to files; under checkpoint format 2, with which that cannot go on after a failure just
    * behind it (see [[FileSinkSuite]]), a folder for each micro-batch.
    */
  private def into(session: SparkSession, writer: DataStreamWriter[Row], folder: String) =
    if (session.conf.get("spark.sql.streaming.stateStore.checkpointFormatVersion") == "1")
      writer.format("json").option("path", folder)
    else {
      val overwrite: (DataFrame, Long) => Unit =
        (batch, id) => batch.write.mode("overwrite").json(s"$folder/$id")
      writer.foreachBatch(overwrite)
    }

  private def start(confs: Seq[String]): SparkSession = {
    val builder = SparkSuite.builder("local[2]").config("spark.log.level", "WARN")
    for (conf <- confs) builder.config(conf.takeWhile(_ != '='), conf.dropWhile(_ != '=').drop(1))
    builder.getOrCreate()
  }

  /** The text of a stream, six lines of it in a micro-batch. */
  def lines(session: SparkSession, from: String, name: String): DataFrame =
    if (from.startsWith("kafka:"))
      session.readStream
        .format("kafka")
        .option("kafka.bootstrap.servers", from.stripPrefix("kafka:"))
        .option("subscribe", name)
        .option("startingOffsets", "earliest")
        .option("maxOffsetsPerTrigger", ThreeStreams.Rows)
        .load()
        .selectExpr("CAST(value AS STRING) value")
    else session.readStream.option("maxFilesPerTrigger", 1).text(s"$from/$name")
}
