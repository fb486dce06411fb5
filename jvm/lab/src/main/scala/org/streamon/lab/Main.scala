package org.streamon.lab

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

/** The lab's command line:
  * `filters|joins|caching|constraints|routes|selections [--quick] [--json FILE] [--only FIGURE,...]`, where
  * `--only` may be repeated. Prints a line for each check; progress goes to standard error as
  * `progress <done> <total> <label>`. With `--json -` standard output has the JSON alone, and the checks go
  * to standard error. Exit code 2 on bad arguments.
  */
object Main {
  private val names = Lab.all.map(_.name)
  private val Stdout = Path.of("-")
  private val usage = s"${names.mkString("|")} [--quick] [--json FILE] [--only FIGURE,...]"

  private[lab] final case class Options(lab: Lab, scale: Scale, json: Option[Path], only: Set[String])

  def main(args: Array[String]): Unit =
    parse(args.toList) match {
      case Left(problem) =>
        Console.err.println(s"streamon lab: $problem\nusage: $usage")
        sys.exit(2)
      case Right(options) =>
        val report = options.lab.run(
          options.scale,
          if (options.only.isEmpty) options.lab.figures.toSet else options.only,
          (done, total, label) => Console.err.println(s"progress $done $total $label")
        )
        show(report, options.json)
    }

  private[lab] def show(report: Report, json: Option[Path]): Unit = json match {
    case Some(Stdout) =>
      Console.err.println(report.text)
      println(report.json)
    case file =>
      println(report.text)
      file.foreach(Files.write(_, (report.json + "\n").getBytes(UTF_8)))
  }

  private[lab] def parse(args: List[String]): Either[String, Options] = args match {
    case name :: rest =>
      Lab.all
        .find(_.name == name)
        .toRight(s"unknown lab '$name': allowed are ${names.mkString(", ")}")
        .flatMap(lab => parse(rest, Options(lab, Scale.full, None, Set.empty)))
    case Nil => Left(s"which lab? allowed are ${names.mkString(", ")}")
  }

  private def parse(args: List[String], options: Options): Either[String, Options] = args match {
    case Nil                      => Right(options)
    case "--quick" :: rest        => parse(rest, options.copy(scale = Scale.quick))
    case "--json" :: file :: rest =>
      // Told now rather than when minutes of work are done.
      val folder = Path.of(file).toAbsolutePath.getParent
      if (Files.isDirectory(folder)) parse(rest, options.copy(json = Some(Path.of(file))))
      else Left(s"--json $file: there is no folder $folder; make it first")
    case "--only" :: list :: rest =>
      val wanted = list.split(',').toSet
      val unknown = wanted -- options.lab.figures
      if (unknown.isEmpty) parse(rest, options.copy(only = options.only ++ wanted))
      else {
        val allowed = options.lab.figures.mkString(", ")
        Left(s"unknown figure ${unknown.mkString(", ")}: allowed are $allowed")
      }
    case option :: _ =>
      Left(s"unknown option or missing value: '$option'; allowed are --quick, --json FILE, --only FIGURE,...")
  }
}
