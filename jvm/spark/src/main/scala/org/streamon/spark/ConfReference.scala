package org.streamon.spark

import org.apache.spark.sql.streamon.StreamonConf

/** Prints the configuration reference as Markdown: `docs/reference/configuration.md` is its output. */
object ConfReference {
  def main(arguments: Array[String]): Unit = print(markdown)

  def markdown: String = {
    val rows = StreamonConf.public.map { e =>
      val default = shown(e.defaultValue, e.defaultValueString)
      s"| `${e.key}` | `$default` | ${e.doc} | ${e.version} |\n"
    }
    s"""# Configuration
       |
       |Set these with `spark.conf.set`, with `SET` in SQL, or when the session is built. Spark rejects a bad
       |value when it is set.
       |
       |- Settings under `spark.streamon.filter.` are also options of the hint `ADAPTIVE_FILTER`, without the
       |  prefix: `/*+ ADAPTIVE_FILTER('algorithm=sweep') */`. The exception is `filter.mode`.
       |- Settings under `spark.streamon.join.` are also options of the hint `MJOIN`, without the prefix. The
       |  exception is `join.enabled`.
       |- An option of a hint takes precedence over the setting.
       |- A running streaming query applies a changed filter setting from its next micro-batch on. It keeps the
       |  join settings that it was started with.
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
