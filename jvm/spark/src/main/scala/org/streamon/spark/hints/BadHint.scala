package org.streamon.spark.hints

import org.apache.spark.internal.Logging
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.spark.errors.HintError

/** An invalid hint is an error of the analysis. If StreaMon is switched off, it is ignored with a warning, as
  * Spark ignores unknown hints.
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
        logWarning(
          s"An invalid hint is ignored, since spark.streamon.enabled is false: ${mistake.getMessage}"
        )
        without
    }
}
