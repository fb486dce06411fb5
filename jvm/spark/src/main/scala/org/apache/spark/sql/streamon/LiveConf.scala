package org.apache.spark.sql.streamon

import java.util.{Collections, WeakHashMap}

import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.internal.SQLConf

/** The current settings for a plan. A streaming query runs in a clone of its session, made at its start.
  * Settings that the user changes later in the session override the clone, and hold from the next micro-batch
  * on. Settings in the clone itself, as in `foreachBatch`, have priority.
  */
object LiveConf {
  private val atFirst = Collections.synchronizedMap(new WeakHashMap[SQLConf, Map[String, Option[String]]])

  def of(session: SparkSession): SQLConf = session match {
    case s: classic.SparkSession =>
      val cloned = s.sessionState.conf
      RunningQuery
        .of(s)
        .map(query => overlay(cloned, query.sparkSession.sessionState.conf))
        .getOrElse(cloned)
    case _ => SQLConf.get
  }

  private def overlay(cloned: SQLConf, live: SQLConf): SQLConf = {
    val first = atFirst.computeIfAbsent(cloned, valuesOf(_))
    val untouched = StreamonConf.all.filter(entry => valueOf(cloned, entry.key) == first(entry.key))
    val merged = cloned.clone()
    untouched.foreach { entry =>
      valueOf(live, entry.key).fold(merged.unsetConf(entry.key))(merged.setConfString(entry.key, _))
    }
    merged
  }

  private def valuesOf(conf: SQLConf): Map[String, Option[String]] =
    StreamonConf.all.map(entry => entry.key -> valueOf(conf, entry.key)).toMap

  private def valueOf(conf: SQLConf, key: String): Option[String] =
    if (conf.contains(key)) Some(conf.getConfString(key)) else None
}
