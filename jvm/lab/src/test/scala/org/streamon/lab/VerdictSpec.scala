package org.streamon.lab

import java.nio.file.{Files, Path}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.tags.Prove

/** What docs/contributors/lab.md says rests on committed results. Counts are the same in every run, so a run
  * of this code must find the same verdicts by the same counts.
  */
class VerdictSpec extends AnyFunSuite {
  for (lab <- Lab.all) {
    test(s"the committed verdicts of the lab of ${lab.name} are those of this code", Prove) {
      val file = Path.of("../../benchmarks/results", s"lab-${lab.name}.json")
      val committed = counted(ujson.read(Files.readString(file))("checks").arr.toSeq.map { check =>
        def field(name: String) = check(name).str
        Check(field("figure"), field("claim"), field("verdict"), field("found"), field("basis"))
      })
      val found = counted(lab.run(Scale.full, lab.figures.toSet, (_, _, _) => ()).checks)
      assert(committed.nonEmpty)
      val (gone, added) = (committed.diff(found), found.diff(committed))
      assert(gone.isEmpty && added.isEmpty, s"\n${list("committed", gone)}\n${list("found", added)}")
    }
  }

  /** Checks that counts decide; without the numbers where processor time stands among them. */
  private def counted(checks: Seq[Check]): Seq[Check] = checks.filter(_.basis == Check.Counts).map { check =>
    if (Seq("processor time", "% of time").exists(check.found.contains)) check.copy(found = "") else check
  }

  private def list(name: String, checks: Seq[Check]): String =
    checks.mkString(s"only $name:\n  ", "\n  ", "")
}
