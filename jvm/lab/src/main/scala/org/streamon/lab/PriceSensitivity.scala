package org.streamon.lab

import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path}

/** Which verdicts of the lab of caching, of those that counts decide, change when one price is halved or
  * doubled: decisions are made by the changed prices, and plans compared at them. At the quick scale. Writes
  * a table.
  */
object PriceSensitivity {
  private val head =
    "| price | times | figure | statement | verdict | at the usual price |\n|---|---|---|---|---|---|"
  private val changes: Seq[(String, (Prices, Double) => Prices)] = Seq(
    "a look-up in a window" -> ((p, f) => p.copy(lookUp = p.lookUp * f)),
    "a row" -> ((p, f) => p.copy(row = p.row * f)),
    "a step of a cache" -> ((p, f) => p.copy(cacheStep = p.cacheStep * f)),
    "a tuple read" -> ((p, f) => p.copy(tupleRead = p.tupleRead * f)),
    "a tuple created" -> ((p, f) => p.copy(tupleCreated = p.tupleCreated * f))
  )

  /** @param args
    *   the file to be written
    */
  def main(args: Array[String]): Unit = {
    val usual = verdicts(Prices.assumed)
    val found = for ((price, change) <- changes; factor <- Seq(0.5, 2.0)) yield {
      val changed = verdicts(change(Prices.assumed, factor)).filterNot(usual.contains)
      val rows = changed.map(c => s"${c.figure} | ${c.claim} | ${c.verdict} | ${verdictOf(usual, c)}")
      (if (rows.isEmpty) Seq("| none changes | |") else rows).map(row => s"| $price | $factor | $row |")
    }
    Files.write(Path.of(args.head), (head +: found.flatten).mkString("", "\n", "\n").getBytes(UTF_8))
  }

  /** Without the numbers found. */
  private def verdicts(prices: Prices): Seq[Check] = Prices.using(prices) {
    val report = CachingLab.run(Scale.quick, CachingLab.figures.toSet, (_, _, _) => ())
    report.checks.filter(_.basis == Check.Counts).map(_.copy(found = ""))
  }

  private def verdictOf(checks: Seq[Check], check: Check) =
    checks.find(c => c.figure == check.figure && c.claim == check.claim).fold("none")(_.verdict)
}
