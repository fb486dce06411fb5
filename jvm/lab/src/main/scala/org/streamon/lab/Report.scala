package org.streamon.lab

/** One curve of a figure.
  *
  * @param unit
  *   what y counts, such as `probes per tuple`
  */
final case class Series(name: String, unit: String, y: Seq[Double])

/** The data of one figure or table of a paper.
  *
  * @param x
  *   labels of the points, one for each y of every series
  */
final case class Figure(figure: String, title: String, xLabel: String, x: Seq[String], series: Seq[Series]) {
  require(series.forall(_.y.length == x.length), s"figure $figure: every series needs ${x.length} points")
}

/** How one statement of a paper fared. Why it did, if that is known, is for docs/contributors/lab.md to say.
  *
  * @param found
  *   the numbers that decided
  * @param basis
  *   what they are: counts, the same in every run, or processor time
  */
final case class Check(
    figure: String,
    claim: String,
    verdict: String,
    found: String,
    basis: String = Check.Counts
) {

  /** The same, decided by processor time. */
  def inTime: Check = copy(basis = Check.Time)
}

object Check {
  val Reproduced = "reproduced"
  val NotReproduced = "not reproduced"
  val Undecided = "cannot be decided"

  val Counts = "counts"
  val Time = "processor time"

  /** A statement that is true or false of the numbers found. */
  def holds(figure: String, claim: String, holds: Boolean, found: String): Check =
    Check(figure, claim, if (holds) Reproduced else NotReproduced, found)

  /** A statement that some quantity is positive, given one measurement of it for each seed: decided when the
    * mean is two standard errors away from 0.
    */
  def positive(figure: String, claim: String, measured: Seq[Double], found: String): Check = {
    val mean = measured.sum / measured.size
    val variance = measured.map(v => (v - mean) * (v - mean)).sum / math.max(measured.size - 1, 1)
    val margin = 2 * math.sqrt(variance / measured.size)
    val verdict = if (mean > margin) Reproduced else if (mean < -margin) NotReproduced else Undecided
    val numbers = f"$found; difference $mean%.4g +- $margin%.2g over ${measured.size} seeds"
    Check(figure, claim, verdict, numbers)
  }
}

final case class Report(figures: Seq[Figure], checks: Seq[Check]) {

  def ++(other: Report): Report = Report(figures ++ other.figures, checks ++ other.checks)

  def json: String = Json.write(
    Json.obj(
      "figures" -> figures.map(f =>
        Json.obj(
          "figure" -> f.figure,
          "title" -> f.title,
          "x_label" -> f.xLabel,
          "x" -> f.x,
          "series" -> f.series.map(s => Json.obj("name" -> s.name, "unit" -> s.unit, "y" -> s.y))
        )
      ),
      "checks" -> checks.map(c =>
        Json.obj(
          "figure" -> c.figure,
          "claim" -> c.claim,
          "verdict" -> c.verdict,
          "found" -> c.found,
          "basis" -> c.basis
        )
      )
    )
  )

  /** One line for each check, then the count of each verdict. */
  def text: String = {
    val lines = checks.map(c => f"${c.figure}%-10s | ${c.verdict}%-17s | ${c.claim} | ${c.found}")
    val counts = Seq(Check.Reproduced, Check.NotReproduced, Check.Undecided)
      .map(v => s"${checks.count(_.verdict == v)} $v")
    (lines :+ counts.mkString(", ")).mkString("\n")
  }
}
