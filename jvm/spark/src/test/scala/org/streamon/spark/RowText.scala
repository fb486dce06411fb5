package org.streamon.spark

import java.util.HexFormat

import org.apache.spark.sql.Row

/** A row as a text that tells its values, those of bytes too. Texts are quoted, so that NULL is not 'null'.
  */
object RowText {
  def apply(row: Row): String = row.toSeq.map(of).mkString("[", ",", "]")

  private def of(value: Any): String = value match {
    case text: String                        => "\"" + text + "\""
    case bytes: Array[Byte]                  => HexFormat.of().formatHex(bytes)
    case row: Row                            => apply(row)
    case values: scala.collection.Seq[_]     => values.map(of).mkString("(", ",", ")")
    case entries: scala.collection.Map[_, _] =>
      entries.map { case (key, entry) => s"${of(key)} -> ${of(entry)}" }.mkString("{", ",", "}")
    case other => String.valueOf(other)
  }
}
