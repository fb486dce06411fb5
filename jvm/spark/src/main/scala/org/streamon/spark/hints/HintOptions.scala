package org.streamon.spark.hints

import scala.util.Try

import org.apache.spark.sql.internal.SQLConf
import org.streamon.spark.planning.FilterHint

/** Reads hint parameters: `'option=value'` texts, or a bare algorithm name such as `sweep`. */
object HintOptions {

  /** The options by name, or what is wrong with them and what is allowed. */
  def parse(parameters: Seq[Any]): Either[String, Map[String, String]] =
    parameters.foldLeft[Either[String, Map[String, String]]](Right(Map.empty)) { (sofar, parameter) =>
      for {
        options <- sofar
        option <- parseOne(JoinInputs.asText(parameter))
      } yield options + option
    }

  private def parseOne(text: String): Either[String, (String, String)] =
    text.split("=", 2).map(_.trim).toList match {
      case name :: value :: Nil =>
        FilterHint.optionNames
          .find(_.equalsIgnoreCase(name))
          .toRight(
            s"unknown option '$name' in '$text'. Allowed options: ${FilterHint.optionNames.mkString(", ")}."
          )
          .flatMap(checked(_, value))
      case _ => checked("algorithm", text)
    }

  /** Spark's own check of the conf that the option stands for. */
  private def checked(name: String, value: String): Either[String, (String, String)] =
    Try(new SQLConf().setConfString(FilterHint.confKey(name), value)).toEither.left
      .map(e => s"bad value '$value' for option '$name'. ${e.getMessage}")
      .map(_ => name -> value)
}
