package org.streamon.spark

import org.apache.spark.sql.streamon.StreamonConf

/** Prints the configuration reference as Markdown: `docs/configuration.md` is its output. */
object ConfReference {
  def main(arguments: Array[String]): Unit = print(markdown)

  def markdown: String = {
    val rows =
      StreamonConf.public.map(e => s"| `${e.key}` | `${e.defaultValueString}` | ${e.doc} | ${e.version} |\n")
    s"""# Configuration
       |
       |Set with `spark.conf.set`, `SET`, or when the session is built; a bad value is refused at once. The
       |filter settings are also options of the hint, without their prefix:
       |`/*+ ADAPTIVE_FILTER('algorithm=sweep') */`. A running streaming query takes up a change from its next
       |micro-batch on.
       |
       || Setting | Default | Meaning | Since |
       ||---|---|---|---|
       |""".stripMargin + rows.mkString
  }
}
