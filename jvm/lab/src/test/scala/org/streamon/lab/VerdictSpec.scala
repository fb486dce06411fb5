package org.streamon.lab

import java.nio.file.{Files, Path}
import org.scalatest.funsuite.AnyFunSuite
import org.streamon.tags.Prove

/** What docs/lab.md tells rests on committed results. Where counts decide, which are the same in every run, a
  * run of this code must come to the same verdicts.
  */
class VerdictSpec extends AnyFunSuite {
  for (lab <- Lab.all) {
    test(s"the committed verdicts of the lab of ${lab.name} are those of this code", Prove) {
      val file = Path.of("../../benchmarks/results", s"lab-${lab.name}.json")
      val committed = ujson.read(Files.readString(file))("checks").arr.collect {
        case check if check("basis").str == Check.Counts =>
          (check("claim").str, check("verdict").str)
      }
      val checks = lab.run(Scale.full, lab.figures.toSet, (_, _, _) => ()).checks
      val found = checks.filter(_.basis == Check.Counts).map(c => (c.claim, c.verdict))
      assert(committed.nonEmpty && committed.diff(found).isEmpty && found.diff(committed.toSeq).isEmpty)
    }
  }
}
