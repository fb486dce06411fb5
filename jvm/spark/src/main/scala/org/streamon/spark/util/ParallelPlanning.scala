package org.streamon.spark.util

import org.apache.spark.sql.catalyst.trees.CurrentOrigin
import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.RunningQuery
import org.streamon.core.util.InParallel

/** Divides what is planned for many rules among the cores of the driver. */
private[spark] object ParallelPlanning {

  /** Rules that are planned together. Fewer take no longer than to wake another thread. */
  private val Part = 64

  /** A function of each, in their order. The session, the settings and the origin are those of the calling
    * thread. In a view these are the settings that it was made with, and errors tell its name.
    */
  def map[A, B](items: Seq[A])(f: A => B): IndexedSeq[B] = {
    val (session, conf, origin) = (SparkSession.active, SQLConf.get, CurrentOrigin.get)
    InParallel.map(items.toIndexedSeq, Part) { item =>
      RunningQuery.in(session) {
        SQLConf.withExistingConf(conf)(CurrentOrigin.withOrigin(origin)(f(item)))
      }
    }
  }
}
