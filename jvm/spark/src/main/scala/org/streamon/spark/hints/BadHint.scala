package org.streamon.spark.hints

import org.apache.spark.internal.Logging
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.spark.errors.HintError

/** A bad hint is an error at analysis. Where StreaMon is switched off it is ignored with a warning, as Spark
  * ignores hints that it does not know.
  */
private[hints] object BadHint extends Logging {

  /** @param without
    *   the plan without the hint
    * @throws HintError
    *   when `hinted` does, and StreaMon is not switched off
    */
  def ignoredWhenOff[A](without: => A)(hinted: => A): A =
    try hinted
    catch {
      case mistake: HintError if !SQLConf.get.getConf(StreamonConf.Enabled) =>
        logWarning(s"A hint is ignored: ${mistake.getMessage}")
        without
    }
}
