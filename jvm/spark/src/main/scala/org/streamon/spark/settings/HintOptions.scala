package org.streamon.spark.settings

import scala.util.Try

import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.streamon.StreamonConf
import org.streamon.core.filters.OrderingAlgorithms

/** The options of a hint: texts such as `'option=value'`, or only the name of an algorithm such as `sweep`.
  * The options are the public settings under a prefix.
  *
  * @param except
  *   settings under the prefix that are not options
  */
final class HintOptions(prefix: String, except: String*) {
  import HintOptions._

  lazy val names: Seq[String] =
    StreamonConf.public
      .map(_.key)
      .filter(_.startsWith(prefix))
      .map(_.stripPrefix(prefix))
      .filterNot(except.contains)
      .sorted

  def confKey(option: String): String = prefix + option

  /** The settings of a session, overridden by the options. */
  def over(conf: SQLConf, options: Map[String, String]): SQLConf =
    if (options.isEmpty) conf
    else {
      val own = conf.clone()
      options.foreach { case (name, value) => own.setConfString(confKey(name), value) }
      own
    }

  /** Right: the options by name. Left: what is wrong with them, and the allowed values. */
  def parse(parameters: Seq[String]): Either[String, Map[String, String]] = {
    val (problems, options) = parameters.partitionMap(text => parseOne(text).map(_ -> text))
    problems.headOption.toLeft(()).flatMap(_ => once(options)).flatMap(withinSweep)
  }

  /** Each with its text. */
  private def once(options: Seq[((String, String), String)]): Either[String, Map[String, String]] =
    options
      .groupMap(_._1._1)(_._2)
      .collectFirst {
        case (name, texts) if texts.size > 1 =>
          s"${texts.mkString("'", "' and '", "'")} set the same option '$name'. Allowed: each option once."
      }
      .toLeft(options.map(_._1).toMap)

  /** If the hint itself asks for sweep, its window must be within the limit of sweep. If only the session
    * asks for sweep, the window is cut instead.
    */
  private def withinSweep(options: Map[String, String]): Either[String, Map[String, String]] =
    options
      .get("window")
      .filter(
        _.toInt > OrderingAlgorithms.SweepStage && options
          .get("algorithm")
          .exists(_.equalsIgnoreCase("sweep"))
      )
      .map(w =>
        s"bad value '$w' for option 'window' with the algorithm sweep. Allowed values: 1 to " +
          s"${OrderingAlgorithms.SweepStage}."
      )
      .toLeft(options)

  private def parseOne(text: String): Either[String, (String, String)] =
    text.split("=", 2).map(_.trim).toList match {
      case name :: value :: Nil =>
        names
          .find(_.equalsIgnoreCase(name))
          .toRight(s"unknown option '$name' in '$text'. Allowed options: ${names.mkString(", ")}.")
          .flatMap(checked(_, value))
      case _ => checked("algorithm", text)
    }

  /** Spark's own check of the conf that the option stands for. */
  private def checked(name: String, value: String): Either[String, (String, String)] =
    Try(new SQLConf().setConfString(confKey(name), value)).toEither.left
      .map(e => s"bad value '$value' for option '$name'. ${e.getMessage.replaceAll(ErrorClass, "")}")
      .map(_ => name -> value)
}

object HintOptions {

  /** What Spark puts around a message. */
  private val ErrorClass = "^\\[[\\w.]+\\] | SQLSTATE: \\w+$"

  val ofFilters: HintOptions = new HintOptions("spark.streamon.filter.", "mode")
  val ofJoins: HintOptions = new HintOptions("spark.streamon.join.", "enabled")
}
