package org.streamon.spark

import org.apache.spark.sql.streamon.StreamonConf

/** Prints the configuration reference as Markdown: `docs/configuration.md` is its output. */
object ConfReference {
  def main(arguments: Array[String]): Unit = print(markdown)

  def markdown: String = {
    val rows = StreamonConf.public.map { e =>
      val default = shown(e.defaultValue, e.defaultValueString)
      s"| `${e.key}` | `$default` | ${e.doc} | ${e.version} |\n"
    }
    s"""# Configuration
       |
       |Set with `spark.conf.set`, `SET`, or when the session is built; a bad value is refused at once. Those
       |under `filter.`, but for `filter.mode`, are also options of the hint `ADAPTIVE_FILTER`, those under
       |`join.`, but for `join.enabled`, of `MJOIN`, without their prefix:
       |`/*+ ADAPTIVE_FILTER('algorithm=sweep') */`. A running streaming query takes up a change of a filter
       |setting from its next micro-batch on; settings of joins are those of its start.
       |
       || Setting | Default | Meaning | Since |
       ||---|---|---|---|
       |""".stripMargin + rows.mkString
  }

  /** Bytes as one would write them. */
  private def shown(default: Option[Any], text: String): String = default match {
    case Some(bytes: Long) if bytes > 0 && bytes % (1L << 20) == 0 => s"${bytes >> 20}m"
    case _                                                         => text
  }
}
