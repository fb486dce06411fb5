package org.streamon.spark.planning

import org.apache.spark.sql.execution.FilterExec
import org.apache.spark.sql.execution.datasources.v2.RealTimeStreamScanExec
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.spark.errors.Refusal
import org.streamon.spark.logical.FilterHint

/** The checks that all kinds of filters share: whether a filter may adapt at all. */
private[planning] object Admission {
  def of(filter: FilterExec, hint: Option[FilterHint], conf: SQLConf): Either[Refusal, Unit] =
    conf.getConf(StreamonConf.FilterMode) match {
      case "off"                  => Left(Refusal.ModeOff)
      case "hint" if hint.isEmpty => Left(Refusal.NoHint)
      // Real-time mode runs only operators that it knows by the names of their classes.
      case _ if filter.exists(_.isInstanceOf[RealTimeStreamScanExec]) => Left(Refusal.RealTimeMode)
      case _                                                          => Right(())
    }

  /** Whether a filter is to adapt without an estimate that it pays. */
  def isAskedFor(hint: Option[FilterHint], conf: SQLConf): Boolean =
    hint.isDefined || conf.getConf(StreamonConf.FilterMode) == "always"
}
