package org.streamon.spark.planning

import org.apache.spark.sql.catalyst.trees.TreeNodeTag
import org.apache.spark.sql.streamon.StreamonConf

/** What an `ADAPTIVE_FILTER` hint says. It travels on the conjuncts themselves, as a tag, so that push-down,
  * pruning and every other rule see the plan they would see without it.
  *
  * @param options
  *   option name, as in the confs without `spark.streamon.filter.`, to value
  */
case class FilterHint(options: Map[String, String])

object FilterHint {
  val none: FilterHint = FilterHint(Map.empty)
  val tag: TreeNodeTag[FilterHint] = TreeNodeTag[FilterHint]("streamon.adaptiveFilter")

  private val prefix = "spark.streamon.filter."

  /** Option names that a hint may carry. */
  val optionNames: Seq[String] =
    StreamonConf.all
      .map(_.key)
      .filter(_.startsWith(prefix))
      .map(_.stripPrefix(prefix))
      .filterNot(_ == "mode")
      .sorted

  def confKey(option: String): String = prefix + option
}
