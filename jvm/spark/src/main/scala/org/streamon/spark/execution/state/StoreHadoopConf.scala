package org.streamon.spark.execution.state

import java.util.{HashMap, UUID}

import org.apache.hadoop.conf.Configuration
import org.apache.spark.SparkContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.util.SerializableConfiguration
import org.streamon.spark.util.RecentlyUsed

/** Hadoop's configuration for the state stores of a query that runs. Its thousand entries are sent to
  * executors once, and not with each micro-batch, as long as they are the same. It is kept by run, since the
  * state store notes the run in it.
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
