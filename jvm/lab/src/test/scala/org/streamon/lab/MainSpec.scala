package org.streamon.lab

import java.io.ByteArrayOutputStream
import java.nio.file.{Files, Path}
import org.scalatest.funsuite.AnyFunSuite

class MainSpec extends AnyFunSuite {

  private def refusal(args: String*): String = Main.parse(args.toList).left.getOrElse(fail("accepted"))

  test("options come in any sequence, and --only may be repeated") {
    val folder = Files.createTempDirectory("lab")
    val file = folder.resolve("lab.json").toString
    val options = Main
      .parse(List("filters", "--only", "4.11,T4.2", "--json", file, "--only", "4.20", "--quick"))
      .getOrElse(fail("refused"))
    assert(options == Main.Options(FilterLab, Scale.quick, Some(Path.of(file)), Set("4.11", "T4.2", "4.20")))
    Files.delete(folder)
  }

  test("what is not known is refused with what is allowed") {
    assert(refusal() == "which lab? allowed are filters, joins, caching, constraints, routes, selections")
    assert(
      refusal("caches").contains(
        "'caches': allowed are filters, joins, caching, constraints, routes, selections"
      )
    )
    assert(refusal("filters", "--only", "4.10").contains("unknown figure 4.10: allowed are 4.11, 4.12"))
    assert(refusal("joins", "--only", "4.11").contains("unknown figure 4.11: allowed are 5.21, drift"))
    assert(refusal("caching", "--only", "5.10").contains("unknown figure 5.10: allowed are 5.11, 5.12"))
    assert(refusal("constraints", "--only", "6.9").contains("unknown figure 6.9: allowed are 6.10, 6.12"))
    assert(refusal("selections", "--only", "10").contains("unknown figure 10: allowed are 6, 7, 8, 9"))
    assert(refusal("filters", "--fast").contains("'--fast'"))
    assert(refusal("filters", "--json").contains("'--json'"))
  }

  test("a file that could not be written is refused before the work is done") {
    assert(refusal("filters", "--json", "/no/such/folder/lab.json").contains("no folder /no/such/folder"))
  }

  test("a dash as the file prints the JSON alone, and the checks beside it") {
    val report = Report(Nil, Seq(Check.positive("4.11", "it is above nothing", Seq(1.0, 1.1, 0.9), "")))
    def shown(json: Option[Path]): (String, String) = {
      val (out, err) = (new ByteArrayOutputStream, new ByteArrayOutputStream)
      Console.withOut(out)(Console.withErr(err)(Main.show(report, json)))
      (out.toString, err.toString)
    }
    assert(shown(Some(Path.of("-"))) == (report.json + "\n", report.text + "\n"))
    assert(shown(None) == (report.text + "\n", ""))
    val file = Files.createTempFile("lab", ".json")
    assert(shown(Some(file)) == (report.text + "\n", ""))
    assert(Files.readString(file) == report.json + "\n")
    Files.delete(file)
  }
}
