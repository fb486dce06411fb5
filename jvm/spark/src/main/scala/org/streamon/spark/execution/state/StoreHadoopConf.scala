package org.streamon.spark.execution.state

import java.util.{HashMap, UUID}

import org.apache.hadoop.conf.Configuration
import org.apache.spark.SparkContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.util.SerializableConfiguration
import org.streamon.spark.util.RecentlyUsed

/** Hadoop's configuration for the state stores of a running query. It has about a thousand entries. They are
  * sent to executors only when they have changed, and not with each micro-batch. It is kept for each run,
  * since the state store writes the run into it.
  */
object StoreHadoopConf {

  /** Runs of queries of which it is kept. */
  private val Capacity = 32

  private final case class Sent(entries: HashMap[String, String], conf: Broadcast[SerializableConfiguration])

  private val sent = new RecentlyUsed[UUID, Sent](Capacity)

  /** @param run
    *   of the query
    * @param conf
    *   as it is now
    */
  def broadcast(
      context: SparkContext,
      run: UUID,
      conf: Configuration
  ): Broadcast[SerializableConfiguration] = {
    val entries = new HashMap[String, String]
    conf.forEach(e => entries.put(e.getKey, e.getValue))
    synchronized {
      Option(sent.get(run)).filter(_.entries == entries).map(_.conf).getOrElse {
        val now = context.broadcast(new SerializableConfiguration(conf))
        sent.put(run, Sent(entries, now))
        now
      }
    }
  }
}
